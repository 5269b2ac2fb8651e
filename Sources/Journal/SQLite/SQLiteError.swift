import CSQLite
import Glibc

/// An error of SQLite: its extended result code, its words, and the number of errno(3) behind it, or 0.
struct SQLiteError: Error {
  let code: Int32
  let message: String
  let errno: Int32

  private var primary: Int32 { code & 0xff }

  /// The kind of storage error that it amounts to.
  var kind: StorageError.Kind {
    switch primary {
    case SQLITE_BUSY, SQLITE_LOCKED: .busy
    case SQLITE_FULL: .full
    // The file of locks has no room to grow, or a quota is used up: SQLite knows these as failed writes only.
    case SQLITE_IOERR where !isSync && (errno == ENOSPC || errno == EDQUOT): .full
    // The text of the schema is data too: damage in it is a column or a table that is not there.
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_MISMATCH, SQLITE_FORMAT: .damaged
    default: .failed
    }
  }

  /// Whether the kernel was asked to bring to the disk what it has taken, and could not.
  var isSync: Bool {
    code == SQLITE_IOERR | 4 << 8 || code == SQLITE_IOERR | 5 << 8  // SQLITE_IOERR_FSYNC, SQLITE_IOERR_DIR_FSYNC
  }
}
