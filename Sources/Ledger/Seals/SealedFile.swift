import GRDBSQLite
import Glibc

/// A ledger's file, or the journal beside it, as SQLite opens it: pages get their seals when they
/// are written, and a page whose seal does not hold is an error of the disk when it is read.
///
/// It stands between SQLite and SQLite's own access to files (a VFS), which does everything else.
/// Files of other programs, and ledgers that were made before there were seals, pass unchanged.
struct SealedFile {
  fileprivate var base = sqlite3_file()
  /// Whether pages have seals; nil until the first page is seen.
  fileprivate var isSealed: Bool?
  /// What the pages' seals call the ledger.
  fileprivate var ledger: UInt64 = 0
  /// What this connection holds of the file.
  fileprivate var level = SQLITE_LOCK_NONE
  /// How long the file was when this connection got the right to write: behind it are places where
  /// nothing was written yet.
  fileprivate var sizeBefore = Int64.max
  fileprivate var isJournal = false
  /// Of a journal, the ledger's own file.
  fileprivate var main: UnsafeMutablePointer<SealedFile>?
  /// Pages that this connection added since it got the right to write.
  fileprivate var added = 0
  /// Writes them where they are many; kept until the file is closed.
  fileprivate var behind: Unmanaged<PagesBehind>?
  /// Of a ledger, its path, which SQLite keeps until the file is closed.
  fileprivate var path: sqlite3_filename?
  /// Of a journal, where the number of a page was read last, and the number.
  fileprivate var announced: (place: Int64, page: UInt64) = (-1, 0)

  /// What SQLite reports of a page that is not what was written.
  static let broken = SQLITE_IOERR | (32 << 8)
  /// How the name of a copy ends while it is made: its pages get seals from the first on.
  static let unfinished = ".sealing"

  /// Makes all files that SQLite opens from now on sealed ones.
  static func install() { _ = isInstalled }

  /// Gives the pages of a ledger seals that has no page yet.
  ///
  /// - Parameter connection: the file must be empty, and nothing written to it.
  static func seal(_ connection: OpaquePointer?) -> Int32 {
    var room = Int32(PageSeal.size)
    let code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_RESERVE_BYTES, &room)
    guard code == SQLITE_OK else { return code }
    var file: UnsafeMutablePointer<sqlite3_file>?
    let found = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    guard found == SQLITE_OK, let file, file.pointee.pMethods == methods else {
      return SQLITE_MISUSE
    }
    sealed(file).pointee.begin()
    return SQLITE_OK
  }

  /// How many pages the file has, and the numbers of those that are not what was written there.
  static func brokenPages(_ connection: OpaquePointer?) -> (count: Int, broken: [Int]) {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let found = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    guard found == SQLITE_OK, let file, file.pointee.pMethods == methods else { return (0, []) }
    var size: sqlite3_int64 = 0
    guard system(file).xFileSize(own(file), &size) == SQLITE_OK else { return (0, []) }
    let pageSize = Int64(PageSeal.pageSize)
    let count = Int((size + pageSize - 1) / pageSize)
    let opened = sealed(file).pointee
    guard opened.isSealed == true else { return (count, []) }
    let page = UnsafeMutableRawPointer.allocate(byteCount: PageSeal.pageSize, alignment: 8)
    defer { page.deallocate() }
    let bytes = UnsafeRawBufferPointer(start: page, count: PageSeal.pageSize)
    // SQLite keeps its locks in the page at 1 GiB, and never writes to it.
    let locks = (1 << 30) / PageSeal.pageSize + 1
    let broken = (0..<count).map { $0 + 1 }.filter { number in
      guard number != locks else { return false }
      let place = Int64(number - 1) * pageSize
      let code = system(file).xRead(own(file), page, Int32(PageSeal.pageSize), place)
      guard code == SQLITE_OK else { return true }
      // A page that was freed before it was ever written is empty; that one in use is, SQLite says.
      return !bytes.allSatisfy({ $0 == 0 })
        && !PageSeal.holds(on: page, number: UInt64(number), ledger: opened.ledger)
    }
    return (count, broken)
  }

  /// Reads pages that lie one behind the other at once; of those that are used, ``holds`` has to
  /// say that they are what was written there. False where they have to be read one by one.
  static func readUnchecked(
    _ file: UnsafeMutablePointer<sqlite3_file>, into pages: UnsafeMutableRawBufferPointer,
    from number: UInt64
  ) -> Bool {
    guard file.pointee.pMethods == methods else { return false }
    let opened = sealed(file).pointee
    guard opened.isSealed == true, opened.behind == nil, opened.level < SQLITE_LOCK_RESERVED else {
      return false
    }
    let place = Int64(number - 1) * Int64(PageSeal.pageSize)
    return system(file).xRead(own(file), pages.baseAddress, Int32(pages.count), place) == SQLITE_OK
  }

  /// Whether a page that was read unchecked is what was written there.
  static func holds(
    _ file: UnsafeMutablePointer<sqlite3_file>, _ page: UnsafeRawPointer, number: UInt64
  ) -> Bool {
    PageSeal.holds(on: page, number: number, ledger: sealed(file).pointee.ledger)
  }

  fileprivate mutating func begin() {
    guard isSealed == nil else { return }
    sqlite3_randomness(8, &ledger)
    isSealed = true
  }

  /// Learns from the first page whether there are seals, and whose.
  fileprivate mutating func learn(_ page: UnsafeRawPointer) {
    guard PageSeal.isPromised(by: page) else {
      isSealed = false
      return
    }
    isSealed = true
    ledger = PageSeal.ledger(of: page)
  }
}

nonisolated(unsafe) private let systemVFS = sqlite3_vfs_find(nil)!

private let isInstalled: Bool = {
  let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
  vfs.initialize(to: systemVFS.pointee)
  vfs.pointee.zName = UnsafePointer(strdup("tieout"))
  vfs.pointee.szOsFile += Int32(offset)
  vfs.pointee.xOpen = openFile
  return sqlite3_vfs_register(vfs, 1) == SQLITE_OK
}()

/// Where the file of SQLite's own access begins, behind ours.
private let offset = (MemoryLayout<SealedFile>.size + 15) / 16 * 16

@inline(__always)
private func sealed(_ file: UnsafeMutablePointer<sqlite3_file>?)
  -> UnsafeMutablePointer<SealedFile>
{
  UnsafeMutableRawPointer(file!).assumingMemoryBound(to: SealedFile.self)
}

@inline(__always)
private func own(_ file: UnsafeMutablePointer<sqlite3_file>?)
  -> UnsafeMutablePointer<sqlite3_file>
{
  (UnsafeMutableRawPointer(file!) + offset).assumingMemoryBound(to: sqlite3_file.self)
}

@inline(__always)
private func system(_ file: UnsafeMutablePointer<sqlite3_file>?) -> sqlite3_io_methods {
  own(file).pointee.pMethods.pointee
}

private func openFile(
  _: UnsafeMutablePointer<sqlite3_vfs>?, _ name: sqlite3_filename?,
  _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
  _ outcome: UnsafeMutablePointer<Int32>?
) -> Int32 {
  guard flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_MAIN_JOURNAL) != 0, let name, let file else {
    return systemVFS.pointee.xOpen(systemVFS, name, file, flags, outcome)
  }
  let opened = UnsafeMutableRawPointer(file).bindMemory(to: SealedFile.self, capacity: 1)
  opened.initialize(to: SealedFile())
  own(file).pointee.pMethods = nil
  let code = systemVFS.pointee.xOpen(systemVFS, name, own(file), flags, outcome)
  guard own(file).pointee.pMethods != nil else { return code }
  opened.pointee.base.pMethods = methods
  if flags & SQLITE_OPEN_MAIN_JOURNAL != 0 {
    let main = sqlite3_database_file_object(name)
    if let main, main.pointee.pMethods == methods { opened.pointee.main = sealed(main) }
    opened.pointee.isJournal = true
    return code
  }
  opened.pointee.path = name
  if String(cString: name).hasSuffix(SealedFile.unfinished) {
    opened.pointee.begin()
  }
  return code
}

/// What SQLite calls, made once. Version 1 has no shared memory, so that a write-ahead log is never
/// used, whoever put one there.
nonisolated(unsafe) private let methods: UnsafePointer<sqlite3_io_methods> = {
  var methods = sqlite3_io_methods()
  methods.iVersion = 1
  methods.xClose = { file in
    sealed(file).pointee.behind?.takeRetainedValue().settle()
    sealed(file).pointee.behind = nil
    return system(file).xClose(own(file))
  }
  methods.xRead = readPlace
  methods.xWrite = writePlace
  methods.xTruncate = { file, size in
    let opened = sealed(file)
    opened.pointee.behind?.takeUnretainedValue().settle()
    // What could not be written is cut off.
    if size <= opened.pointee.sizeBefore { _ = written(file) }
    return system(file).xTruncate(own(file), size)
  }
  methods.xSync = { file, flags in
    let code = written(file)
    return code == SQLITE_OK ? system(file).xSync(own(file), flags) : code
  }
  methods.xFileSize = { file, size in
    sealed(file).pointee.behind?.takeUnretainedValue().settle()
    return system(file).xFileSize(own(file), size)
  }
  methods.xLock = { file, level in
    let code = system(file).xLock(own(file), level)
    guard code == SQLITE_OK else { return code }
    if sealed(file).pointee.level < SQLITE_LOCK_RESERVED, level >= SQLITE_LOCK_RESERVED {
      var size: sqlite3_int64 = 0
      let known = system(file).xFileSize(own(file), &size)
      guard known == SQLITE_OK else { return known }
      sealed(file).pointee.sizeBefore = size
      sealed(file).pointee.added = 0
    }
    sealed(file).pointee.level = level
    return code
  }
  methods.xUnlock = { file, level in
    _ = written(file)
    let code = system(file).xUnlock(own(file), level)
    if code == SQLITE_OK { sealed(file).pointee.level = level }
    return code
  }
  methods.xCheckReservedLock = { system($0).xCheckReservedLock(own($0), $1) }
  methods.xFileControl = { file, operation, argument in
    // A commit says so before it syncs, and where it does not sync.
    let code = operation == SQLITE_FCNTL_SYNC ? written(file) : SQLITE_OK
    return code == SQLITE_OK ? system(file).xFileControl(own(file), operation, argument) : code
  }
  methods.xSectorSize = { system($0).xSectorSize(own($0)) }
  methods.xDeviceCharacteristics = { system($0).xDeviceCharacteristics(own($0)) }
  let pointer = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
  pointer.initialize(to: methods)
  return UnsafePointer(pointer)
}()

private func writePlace(
  _ file: UnsafeMutablePointer<sqlite3_file>?, _ bytes: UnsafeRawPointer?, _ count: Int32,
  _ place: sqlite3_int64
) -> Int32 {
  let opened = sealed(file)
  if !opened.pointee.isJournal, let bytes, Int(count) == PageSeal.pageSize,
    place % Int64(count) == 0
  {
    if opened.pointee.isSealed == nil, place == 0 { opened.pointee.learn(bytes) }
    if opened.pointee.isSealed == true {
      // SQLite's own bytes end before the seal; it lends them to be completed, and puts them into
      // the journal when the page changes again.
      PageSeal.set(
        on: UnsafeMutableRawPointer(mutating: bytes), number: number(at: place),
        ledger: opened.pointee.ledger)
      if place > 0, isBehind(opened, place), let behind = behind(file) {
        return behind.add(bytes, at: place)
      }
    }
  }
  guard let behind = opened.pointee.behind?.takeUnretainedValue() else {
    return system(file).xWrite(own(file), bytes, count, place)
  }
  return behind.alone { system(file).xWrite(own(file), bytes, count, place) }
}

/// What writes the pages that a transaction adds; nil as long as they are few.
private func behind(_ file: UnsafeMutablePointer<sqlite3_file>?) -> PagesBehind? {
  let opened = sealed(file)
  opened.pointee.added += 1
  if opened.pointee.added <= pagesAtHand { return nil }
  if let behind = opened.pointee.behind { return behind.takeUnretainedValue() }
  nonisolated(unsafe) let file = own(file)
  let methods = file.pointee.pMethods.pointee
  let store = opened.pointee.path.flatMap { OpenedFile(path: $0) }
  let behind = PagesBehind(
    write: { bytes, count, place in methods.xWrite(file, bytes, count, place) },
    // Else all of it would wait for the commit, which would wait for the disk.
    written: { count, place in store?.beginToStore(place, count) ?? SQLITE_OK })
  opened.pointee.behind = .passRetained(behind)
  return behind
}

/// Pages that are written where they are added: for a few no thread is worth its while.
private let pagesAtHand = 16

/// Waits until all pages are written that were added; what the first said that could not be.
private func written(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Int32 {
  sealed(file).pointee.behind?.takeUnretainedValue().outcome() ?? SQLITE_OK
}

private func number(at place: Int64) -> UInt64 { UInt64(place) / UInt64(PageSeal.pageSize) + 1 }

private func readPlace(
  _ file: UnsafeMutablePointer<sqlite3_file>?, _ bytes: UnsafeMutableRawPointer?, _ count: Int32,
  _ place: sqlite3_int64
) -> Int32 {
  let opened = sealed(file)
  let code: Int32
  if let behind = opened.pointee.behind?.takeUnretainedValue() {
    if let bytes, Int(count) == PageSeal.pageSize, isBehind(opened, place),
      let code = behind.read(bytes, at: place)
    {
      return code
    }
    code = behind.alone { system(file).xRead(own(file), bytes, count, place) }
  } else {
    code = system(file).xRead(own(file), bytes, count, place)
  }
  guard let bytes, code == SQLITE_OK || code == shortRead else { return code }
  if opened.pointee.isJournal { return readJournal(file, bytes, count, place, code) }
  // The header alone is read to learn the size of pages, and whether something changed; before it
  // counts, the whole page is read.
  if place < 100, count <= 100 { return code }
  if place == 0, code == SQLITE_OK { opened.pointee.learn(bytes) }
  guard opened.pointee.isSealed == true else { return code }
  if code == SQLITE_OK, Int(count) == PageSeal.pageSize, place % Int64(count) == 0 {
    let isWhole = PageSeal.holds(
      on: bytes, number: number(at: place), ledger: opened.pointee.ledger)
    return isWhole || mayBeUnwritten(opened, bytes, count, place) ? code : SealedFile.broken
  }
  if code == shortRead {
    // Nothing is there yet: the very first page, or one that this connection is about to write.
    var size: sqlite3_int64 = 0
    let known = system(file).xFileSize(own(file), &size)
    if known == SQLITE_OK, size == 0 || isBehind(opened, place) { return code }
    return SealedFile.broken
  }
  return readPart(file, bytes, count, place)
}

/// Whether nothing was written at the place yet: SQLite does not write pages that it made and freed
/// in one transaction, and may look at them again before it ends.
private func mayBeUnwritten(
  _ file: UnsafeMutablePointer<SealedFile>, _ bytes: UnsafeMutableRawPointer, _ count: Int32,
  _ place: Int64
) -> Bool {
  isBehind(file, place)
    && UnsafeRawBufferPointer(start: bytes, count: Int(count)).allSatisfy { $0 == 0 }
}

/// Whether a connection that writes may be the first that writes there.
private func isBehind(_ file: UnsafeMutablePointer<SealedFile>, _ place: Int64) -> Bool {
  file.pointee.level >= SQLITE_LOCK_RESERVED && place >= file.pointee.sizeBefore
}

/// A part of a page counts when the whole page does; a page of another size is none of a sealed
/// ledger.
private func readPart(
  _ file: UnsafeMutablePointer<sqlite3_file>?, _ bytes: UnsafeMutableRawPointer, _ count: Int32,
  _ place: Int64
) -> Int32 {
  let size = Int64(PageSeal.pageSize)
  let begin = place / size * size
  guard place + Int64(count) <= begin + size else { return SealedFile.broken }
  let page = UnsafeMutableRawPointer.allocate(byteCount: PageSeal.pageSize, alignment: 8)
  defer { page.deallocate() }
  let code = readPlace(file, page, Int32(PageSeal.pageSize), begin)
  guard code == SQLITE_OK else { return code }
  bytes.copyMemory(from: page + Int(place - begin), byteCount: Int(count))
  return code
}

/// A journal gives back the pages of the ledger that it lies beside, and no other's.
private func readJournal(
  _ file: UnsafeMutablePointer<sqlite3_file>?, _ bytes: UnsafeMutableRawPointer, _ count: Int32,
  _ place: Int64, _ code: Int32
) -> Int32 {
  let opened = sealed(file)
  guard code == SQLITE_OK, let main = opened.pointee.main else { return code }
  if count == 4 {
    let page = UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))
    opened.pointee.announced = (place, UInt64(page))
    return code
  }
  guard Int(count) == PageSeal.pageSize else { return code }
  if main.pointee.isSealed == nil {
    let page = UnsafeMutableRawPointer.allocate(byteCount: PageSeal.pageSize, alignment: 8)
    defer { page.deallocate() }
    let ledger = UnsafeMutableRawPointer(main).assumingMemoryBound(to: sqlite3_file.self)
    let first = system(ledger).xRead(own(ledger), page, Int32(PageSeal.pageSize), 0)
    if first == SQLITE_OK { main.pointee.learn(page) }
  }
  guard main.pointee.isSealed == true, opened.pointee.announced.place == place - 4 else {
    return code
  }
  let isWhole = PageSeal.holds(
    on: bytes, number: opened.pointee.announced.page, ledger: main.pointee.ledger)
  return isWhole ? code : SealedFile.broken
}

private let shortRead = SQLITE_IOERR | (2 << 8)
