import Glibc

/// What a path to write to leads to, links followed.
package enum OutputTarget {
  /// A file, there or not, in a folder that is; the mode is that of the file that is there.
  case file(folder: String, path: String, mode: UInt32?)
  /// A pipe, a terminal or another device.
  case stream(String)
  /// An open file of this process, such as its standard output.
  case descriptor(Int32)

  /// Finds what a path leads to, following links as the system would.
  package init(_ path: String) throws(OutputError) {
    var path = path
    // As many links as the system itself follows.
    for _ in 0..<40 {
      let (above, name) = divided(path)
      guard let folder = resolvedPath(above) else { throw .last }
      guard !name.isEmpty, name != ".", name != ".." else { throw .system(code: EISDIR) }
      if folder.hasPrefix("/proc/") {
        let ours = folder == "/proc/\(getpid())/fd" || folder == "/proc/self/fd"
        self = ours ? Int32(name).map(Self.descriptor) ?? .stream(path) : .stream(path)
        return
      }
      path = folder == "/" ? "/" + name : folder + "/" + name
      var status = stat()
      guard lstat(path, &status) == 0 else {
        guard errno == ENOENT else { throw .last }
        self = .file(folder: folder, path: path, mode: nil)
        return
      }
      guard status.st_mode & S_IFMT == S_IFLNK else {
        self = try Self(path, in: folder, status)
        return
      }
      guard let link = target(ofLink: path) else { throw .last }
      path = link.hasPrefix("/") ? link : folder + "/" + link
    }
    throw .system(code: ELOOP)
  }

  /// What is there at a path without links: a file to replace, or what is written to. Folders and
  /// what may not be changed are refused.
  private init(_ path: String, in folder: String, _ status: stat) throws(OutputError) {
    switch status.st_mode & S_IFMT {
    case S_IFREG:
      // A new file takes its place: what may not be changed is not to be replaced either.
      guard access(path, W_OK) == 0 else { throw .last }
      self = .file(folder: folder, path: path, mode: status.st_mode & 0o777)
    case S_IFDIR: throw .system(code: EISDIR)
    case S_IFCHR, S_IFIFO: self = .stream(path)
    default: throw .system(code: EPERM)
    }
  }
}

/// A path divided into the folder and the name in it; `.` is the folder where it names none.
private func divided(_ path: String) -> (folder: String, name: String) {
  guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
  let folder = path[..<slash]
  return (folder.isEmpty ? "/" : String(folder), String(path[path.utf8.index(after: slash)...]))
}

/// The folder of a path, `.` where it names none.
package func folder(of path: String) -> String { divided(path).folder }

/// A path without links, `.` and `..`; nil where it leads nowhere.
private func resolvedPath(_ path: String) -> String? {
  guard let text = realpath(path, nil) else { return nil }
  defer { free(text) }
  return String(cString: text)
}

/// The path that a symbolic link holds; nil where it cannot be read.
private func target(ofLink path: String) -> String? {
  withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(PATH_MAX)) { buffer in
    let count = readlink(path, buffer.baseAddress!, buffer.count)
    return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
  }
}
