import GRDB
import GRDBSQLite
import Glibc
import Synchronization

/// A ``BlockImage`` as a file that SQLite opens and reads, by a name that only this process knows
/// (a VFS of its own). Nothing can be written to it.
struct BlockFile {
  fileprivate var base = sqlite3_file()
  fileprivate let image: Unmanaged<BlockImage>

  /// Lets statements of a connection name the image's table, until `detach`.
  ///
  /// - Precondition: the connection is in no transaction.
  static func attach(_ image: BlockImage, to db: Database) throws {
    precondition(isInstalled)
    try image.describe(db)
    let name = "block-\(ObjectIdentifier(image).hashValue)"
    images.withLock { $0[name] = image }
    defer { _ = images.withLock { $0.removeValue(forKey: name) } }
    let schema = BlockImage.schema
    try db.execute(
      sql: """
        ATTACH 'file:\(name)?vfs=\(system)&mode=ro' AS \(schema);
        PRAGMA \(schema).mmap_size = \(BlockImage.pageSize);
        """)
  }

  /// - Precondition: the connection is in no transaction.
  static func detach(from db: Database) throws {
    try db.execute(sql: "DETACH \(BlockImage.schema)")
  }

  private static let system = "tieout-block"

  private static let isInstalled: Bool = {
    let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    vfs.initialize(to: sqlite3_vfs_find(nil)!.pointee)
    vfs.pointee.zName = UnsafePointer(strdup(system))
    vfs.pointee.szOsFile = Int32(MemoryLayout<BlockFile>.size)
    vfs.pointee.xOpen = open
    vfs.pointee.xFullPathname = { _, name, count, result in
      guard let name, let result, strlen(name) < Int(count) else { return SQLITE_CANTOPEN }
      strcpy(result, name)
      return SQLITE_OK
    }
    // It has no journal.
    vfs.pointee.xAccess = { _, _, _, outcome in
      outcome!.pointee = 0
      return SQLITE_OK
    }
    return sqlite3_vfs_register(vfs, 0) == SQLITE_OK
  }()
}

/// Images that are being attached.
private let images = Mutex<[String: BlockImage]>([:])

private func open(
  _: UnsafeMutablePointer<sqlite3_vfs>?, _ name: sqlite3_filename?,
  _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
  _ outcome: UnsafeMutablePointer<Int32>?
) -> Int32 {
  guard let file else { return SQLITE_CANTOPEN }
  file.pointee.pMethods = nil
  guard let name, let image = images.withLock({ $0[String(cString: name)] }) else {
    return SQLITE_CANTOPEN
  }
  let opened = UnsafeMutableRawPointer(file).bindMemory(to: BlockFile.self, capacity: 1)
  opened.initialize(to: BlockFile(image: Unmanaged.passRetained(image)))
  opened.pointee.base.pMethods = methods
  outcome?.pointee = flags
  return SQLITE_OK
}

nonisolated(unsafe) private let methods: UnsafePointer<sqlite3_io_methods> = {
  var methods = sqlite3_io_methods()
  methods.iVersion = 3
  methods.xClose = { file in
    blockFile(file).pointee.image.release()
    return SQLITE_OK
  }
  methods.xRead = read
  methods.xWrite = { _, _, _, _ in SQLITE_READONLY }
  methods.xTruncate = { _, _ in SQLITE_READONLY }
  methods.xSync = { _, _ in SQLITE_OK }
  methods.xFileSize = { _, size in
    size!.pointee = sqlite3_int64(BlockImage.pageCount * BlockImage.pageSize)
    return SQLITE_OK
  }
  methods.xLock = { _, _ in SQLITE_OK }
  methods.xUnlock = { _, _ in SQLITE_OK }
  methods.xCheckReservedLock = { _, outcome in
    outcome!.pointee = 0
    return SQLITE_OK
  }
  methods.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
  methods.xSectorSize = { _ in 4096 }
  methods.xDeviceCharacteristics = { _ in 0 }
  methods.xFetch = { file, place, count, result in
    let size = sqlite3_int64(BlockImage.pageSize)
    let isPage = place % size == 0 && sqlite3_int64(count) == size
    result!.pointee = isPage ? page(Int(place / size) + 1, of: file) : nil
    return SQLITE_OK
  }
  methods.xUnfetch = { _, _, _ in SQLITE_OK }
  let pointer = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
  pointer.initialize(to: methods)
  return UnsafePointer(pointer)
}()

private func blockFile(_ file: UnsafeMutablePointer<sqlite3_file>?)
  -> UnsafeMutablePointer<BlockFile>
{
  UnsafeMutableRawPointer(file!).assumingMemoryBound(to: BlockFile.self)
}

private func page(
  _ number: Int, of file: UnsafeMutablePointer<sqlite3_file>?
) -> UnsafeMutableRawPointer? {
  blockFile(file).pointee.image.takeUnretainedValue().page(number)
}

/// The first page is read, and kept; the others change.
private func read(
  _ file: UnsafeMutablePointer<sqlite3_file>?, _ bytes: UnsafeMutableRawPointer?, _ count: Int32,
  _ place: sqlite3_int64
) -> Int32 {
  let size = sqlite3_int64(BlockImage.pageSize)
  guard let bytes, place + sqlite3_int64(count) <= size, let first = page(1, of: file) else {
    return SQLITE_IOERR
  }
  bytes.copyMemory(from: first + Int(place), byteCount: Int(count))
  return SQLITE_OK
}
