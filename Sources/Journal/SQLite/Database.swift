import CSQLite
import Glibc
import Linux

/// A database is one connection to a file of SQLite, used by one thread at a time.
final class Database {
  let path: String
  let handle: OpaquePointer
  /// The pages in the write-ahead log, at an address that SQLite knows, and how many of them were moved.
  private let logged = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
  private var moved: Int32 = 0

  enum Access {
    case create
    case write
    case read
  }

  init(_ path: String, _ access: Access) throws(SQLiteError) {
    self.path = path
    let flags =
      switch access {
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .write: SQLITE_OPEN_READWRITE
      case .read: SQLITE_OPEN_READONLY
      }
    var opened: OpaquePointer?
    // Debian's SQLite takes what begins with "file:" for an address.
    let name = path.hasPrefix("/") ? path : "./" + path
    let code = sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard let handle = opened else { throw SQLiteError(code: code, message: "out of memory", errno: 0) }
    self.handle = handle
    logged.initialize(to: 0)
    sqlite3_extended_result_codes(handle, 1)
    if code != SQLITE_OK { throw error(code) }
    // SQLite makes do with reading where it may not write.
    if access != .read, sqlite3_db_readonly(handle, "main") == 1 {
      throw SQLiteError(code: SQLITE_READONLY, message: "it may not be written", errno: 0)
    }
    // A file that is read may be damaged, or made by somebody else.
    signalbox_configure(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
    signalbox_configure(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    waitAtMost(.seconds(5))
    try execute("PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY")
  }

  deinit {
    sqlite3_close(handle)
    logged.deallocate()
  }

  /// How long to wait while another program writes or recovers the database.
  func waitAtMost(_ time: Duration) { sqlite3_busy_timeout(handle, Int32(clamping: time.milliseconds)) }

  /// Leaves the write-ahead log alone when the connection ends, where the last one would move it into the database.
  func leaveLog() { signalbox_configure(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1) }

  /// Runs statements that give no rows, or whose rows do not matter.
  func execute(_ sql: String) throws(SQLiteError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    if code != SQLITE_OK { throw error(code) }
  }

  func prepare(_ sql: String) throws(SQLiteError) -> Statement { try Statement(self, sql) }

  /// The number that a statement such as a pragma gives.
  func number(_ sql: String) throws(SQLiteError) -> Int64? {
    let statement = try prepare(sql)
    return try statement.step() ? statement.integer(0) : nil
  }

  /// The text that a statement such as a pragma gives.
  func text(_ sql: String) throws(SQLiteError) -> String? {
    let statement = try prepare(sql)
    return try statement.step() ? statement.text(0) : nil
  }

  /// The number of rows that the last statement changed.
  var changes: Int { Int(sqlite3_changes(handle)) }

  func error(_ code: Int32) -> SQLiteError {
    // SQLite keeps the number of the last error that had one.
    let hasNumber = [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xff)
    return SQLiteError(
      code: code, message: String(cString: sqlite3_errmsg(handle)),
      errno: hasNumber ? sqlite3_system_errno(handle) : 0)
  }

  // MARK: Transactions

  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Does all of a piece of work or nothing, in a transaction that writes.
  func transaction(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
    try execute("BEGIN IMMEDIATE")
    do throws(SQLiteError) {
      try body()
      try execute("COMMIT")
    } catch {
      // SQLite has ended it by itself after some errors, a full disk among them.
      if isInTransaction { try? execute("ROLLBACK") }
      throw error
    }
  }

  // MARK: The write-ahead log

  /// Brings to the disk all that was committed (`fdatasync(2)` of the write-ahead log).
  ///
  /// A page that is no longer in the log was synced when it was put into the database itself.
  func syncLog() throws(SQLiteError) {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let found = sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file)
    guard found == SQLITE_OK, let file, let methods = file.pointee.pMethods, let sync = methods.pointee.xSync else {
      return
    }
    let code = sync(file, SQLITE_SYNC_NORMAL | SQLITE_SYNC_DATAONLY)
    if code != SQLITE_OK {
      throw SQLiteError(code: code, message: String(cString: sqlite3_errstr(code)), errno: errno)
    }
  }

  /// Counts the pages in the write-ahead log from now on, instead of moving them by itself at a thousand.
  func countLog() {
    sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        context?.assumingMemoryBound(to: Int32.self).pointee = pages
        return SQLITE_OK
      }, logged)
  }

  /// The pages in the write-ahead log that are not in the database yet, as of the last commit of this connection.
  var pagesInLog: Int {
    // With fewer than were moved the log has begun anew.
    Int(logged.pointee < moved ? logged.pointee : logged.pointee - moved)
  }

  /// Moves what is in the write-ahead log into the database, as far as nobody reads it there.
  func checkpoint() throws(SQLiteError) {
    let code = sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_PASSIVE, logged, &moved)
    if code != SQLITE_OK && code & 0xff != SQLITE_BUSY { throw error(code) }
  }
}
