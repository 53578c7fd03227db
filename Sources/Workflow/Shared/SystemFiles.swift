import Billing
import Foundation

/// The path as C's functions take it: its bytes, with a zero at the end.
func systemPath(_ path: String) -> [CChar] {
  systemBytes(of: path).map(CChar.init(bitPattern:)) + [0]
}

/// A failed system call.
struct SystemError: Error {
  let code: Int32

  /// What went wrong, in lower case without a full stop.
  var message: Wording {
    switch code {
    case ENOENT: "@import.no-such-file-or-folder"
    case EACCES, EPERM: "@import.permission-denied"
    case ELOOP: "@import.links-lead-in-a-circle"
    default: Wording(verbatim: String(cString: strerror(code)).lowercased())
    }
  }

  /// What to do about it.
  var help: Wording {
    switch code {
    case ENOENT: "@import.check-the-spelling-and-whether"
    case EACCES, EPERM: "@import.give-yourself-permission-to-read"
    case ELOOP: "@import.remove-the-link-or-name"
    default: "@import.check-the-disk-that-holds"
    }
  }
}

/// The error that the system does not let us read a file.
func unreadableFile(_ path: String, _ error: SystemError) -> Diagnostic {
  Diagnostic(
    topic: "path", at: SourceLocation(file: path), "@import.cannot-be-read \(error.message)",
    help: error.help)
}

/// The identity of the file or folder that a path leads to; nil when nothing is there.
func identity(of path: String) -> FileIdentity? {
  FileStatus(path: systemPath(path))?.identity
}
