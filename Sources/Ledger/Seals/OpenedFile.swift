import GRDBSQLite
import Glibc

/// A file that this process has open, by whatever descriptor.
///
/// None is opened for it: to close that one would give up SQLite's locks on the file.
struct OpenedFile {
  private let descriptor: Int32
  private let device: dev_t
  private let number: ino_t

  /// Nil where the file is not open by one of the descriptors that a process mostly has.
  init?(path: UnsafePointer<CChar>) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, number) = (status.st_dev, status.st_ino)
    let (device, number) = (device, number)
    let found = (0..<1024).first { Self.is($0, device, number) }
    guard let found else { return nil }
    descriptor = found
  }

  /// Whether the file is open by a descriptor now.
  private static func `is`(_ descriptor: Int32, _ device: dev_t, _ number: ino_t) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_dev == device && status.st_ino == number
  }

  /// Lets the system begin to bring bytes that were written onto the disk; it waits only where the
  /// disk takes no more.
  ///
  /// - Returns: what SQLite calls it where the disk refuses them; what else is in the way keeps
  ///   nothing from being stored when the file is synced.
  func beginToStore(_ place: Int64, _ count: Int) -> Int32 {
    // Who else had it open may have closed it, and its number may be another file's.
    guard let syncFileRange, Self.is(descriptor, device, number) else { return SQLITE_OK }
    if syncFileRange(descriptor, place, Int64(count), 2) == 0 { return SQLITE_OK }
    switch errno {
    case ENOSPC, EDQUOT: return SQLITE_FULL
    // A page that got no place on the disk may be dropped without a later sync telling it. What is
    // returned is SQLITE_IOERR_WRITE.
    case EIO, EUCLEAN, EROFS: return SQLITE_IOERR | (3 << 8)
    default: return SQLITE_OK
    }
  }
}

private typealias SyncFileRange = @convention(c) (Int32, Int64, Int64, UInt32) -> Int32

/// Linux's `sync_file_range`, which the C library declares only for programs that ask for all of
/// GNU's; its 2 is `SYNC_FILE_RANGE_WRITE`.
private let syncFileRange = dlsym(nil, "sync_file_range").map {
  unsafeBitCast($0, to: SyncFileRange.self)
}
