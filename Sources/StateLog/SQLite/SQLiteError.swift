import CSQLite
import Glibc

/// An error of SQLite.
struct SQLiteError: Error {
  /// The extended result code.
  let code: Int32
  /// SQLite's message.
  let message: String
  /// The errno(3) of the cause, or 0.
  let errno: Int32

  private var primary: Int32 { code & 0xff }

  /// The corresponding kind of storage error.
  var kind: StorageError.Kind {
    switch primary {
    case SQLITE_BUSY, SQLITE_LOCKED: .busy
    case SQLITE_FULL: .full
    // An exhausted quota, or no space for SQLite's index of the log; SQLite has no code for these.
    case SQLITE_IOERR where !isSync && isOutOfRoom: .full
    case SQLITE_CANTOPEN where isOutOfRoom: .full
    // The text of the schema is data too: damage in it appears as a missing column or table.
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_MISMATCH, SQLITE_FORMAT: .damaged
    default: .failed
    }
  }

  /// True if permissions of the file or its folder are the cause.
  var isDenied: Bool { primary == SQLITE_READONLY || primary == SQLITE_CANTOPEN && errno == EACCES }

  private var isOutOfRoom: Bool { errno == ENOSPC || errno == EDQUOT }

  /// True for a failed sync of data that the kernel had accepted.
  var isSync: Bool {
    code == SQLITE_IOERR | 4 << 8 || code == SQLITE_IOERR | 5 << 8  // SQLITE_IOERR_FSYNC, SQLITE_IOERR_DIR_FSYNC
  }
}
