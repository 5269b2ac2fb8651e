import CSQLite
import Glibc

/// An error of SQLite.
struct SQLiteError: Error {
  /// The extended result code.
  let code: Int32
  /// The words of SQLite.
  let message: String
  /// The number of errno(3) behind it, or 0.
  let errno: Int32

  private var primary: Int32 { code & 0xff }

  /// The kind of storage error that it amounts to.
  var kind: StorageError.Kind {
    switch primary {
    case SQLITE_BUSY, SQLITE_LOCKED: .busy
    case SQLITE_FULL: .full
    // A quota is used up, or there is no room for SQLite's index of the log: it has no code for these.
    case SQLITE_IOERR where !isSync && isOutOfRoom: .full
    case SQLITE_CANTOPEN where isOutOfRoom: .full
    // The text of the schema is data too: damage in it is a column or a table that is not there.
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_MISMATCH, SQLITE_FORMAT: .damaged
    default: .failed
    }
  }

  /// Whether the rights of the file or its folder are the reason.
  var isDenied: Bool { primary == SQLITE_READONLY || primary == SQLITE_CANTOPEN && errno == EACCES }

  private var isOutOfRoom: Bool { errno == ENOSPC || errno == EDQUOT }

  /// Whether the kernel was asked to bring to the disk what it has taken, and could not.
  var isSync: Bool {
    code == SQLITE_IOERR | 4 << 8 || code == SQLITE_IOERR | 5 << 8  // SQLITE_IOERR_FSYNC, SQLITE_IOERR_DIR_FSYNC
  }
}
