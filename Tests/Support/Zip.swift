/// A zip archive of files, each packed where `isPacked`, as a program would write it.
package func zipArchive(
  _ files: [(name: String, bytes: [UInt8])], isPacked: Bool = true, flags: Int = 0
) -> [UInt8] {
  func short(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8 & 0xFF)] }
  func long(_ value: Int) -> [UInt8] { short(value & 0xFFFF) + short(value >> 16) }
  var archive: [UInt8] = []
  var directory: [UInt8] = []
  for file in files {
    // A gzip member is a header of ten bytes, what zip holds, the checksum, and the size.
    let member = gzipMember(file.bytes)
    let checksum = Array(member.suffix(8).prefix(4))
    let data = isPacked ? Array(member.dropFirst(10).dropLast(8)) : file.bytes
    let name = Array(file.name.utf8)
    let common =
      short(20) + short(flags) + short(isPacked ? 8 : 0) + long(0) + checksum + long(data.count)
      + long(file.bytes.count) + short(name.count) + short(0)
    directory +=
      [0x50, 0x4B, 1, 2] + short(20) + common + short(0) + short(0) + short(0) + long(0)
      + long(archive.count) + name
    archive += [0x50, 0x4B, 3, 4] + common + name + data
  }
  let end =
    [0x50, 0x4B, 5, 6] + short(0) + short(0) + short(files.count) + short(files.count)
    + long(directory.count) + long(archive.count) + short(0)
  return archive + directory + end
}
