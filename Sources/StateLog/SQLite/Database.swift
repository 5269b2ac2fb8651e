import CSQLite
import Glibc
import Linux

/// A connection to an SQLite file, used by one thread at a time.
final class Database {
  let path: String
  let handle: OpaquePointer
  /// The number of pages in the write-ahead log, at an address known to SQLite, and the number of those checkpointed.
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
    // Debian's SQLite interprets names with the prefix "file:" as URIs.
    let name = path.hasPrefix("/") ? path : "./" + path
    let code = sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard let handle = opened else { throw SQLiteError(code: code, message: "out of memory", errno: 0) }
    self.handle = handle
    logged.initialize(to: 0)
    sqlite3_extended_result_codes(handle, 1)
    if code != SQLITE_OK { throw error(code) }
    // SQLite falls back to read-only access without write permission.
    if access != .read, sqlite3_db_readonly(handle, "main") == 1 {
      throw SQLiteError(code: SQLITE_READONLY, message: "read-only", errno: 0)
    }
    // The file may be damaged or untrusted.
    signalbox_configure(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
    signalbox_configure(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    waitAtMost(.seconds(5))
    try execute("PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY")
  }

  deinit {
    sqlite3_close(handle)
    logged.deallocate()
  }

  /// Sets the time limit for waiting while another program writes or recovers the database.
  func waitAtMost(_ time: Duration) { sqlite3_busy_timeout(handle, Int32(clamping: time.milliseconds)) }

  /// Disables the checkpoint when the last connection closes.
  func leaveLog() { signalbox_configure(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1) }

  /// Executes statements without reading their rows.
  func execute(_ sql: String) throws(SQLiteError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    if code != SQLITE_OK { throw error(code) }
  }

  func prepare(_ sql: String) throws(SQLiteError) -> Statement { try Statement(self, sql) }

  /// Returns the number that a statement, such as a pragma, yields.
  func number(_ sql: String) throws(SQLiteError) -> Int64? {
    let statement = try prepare(sql)
    return try statement.step() ? statement.integer(0) : nil
  }

  /// Returns the text that a statement, such as a pragma, yields.
  func text(_ sql: String) throws(SQLiteError) -> String? {
    let statement = try prepare(sql)
    return try statement.step() ? statement.text(0) : nil
  }

  /// The number of rows changed by the last statement.
  var changes: Int { Int(sqlite3_changes(handle)) }

  func error(_ code: Int32) -> SQLiteError {
    // SQLite keeps the last system error number after later errors without one.
    let hasNumber = [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xff)
    return SQLiteError(
      code: code, message: String(cString: sqlite3_errmsg(handle)),
      errno: hasNumber ? sqlite3_system_errno(handle) : 0)
  }

  // MARK: Transactions

  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Runs an operation in a write transaction.
  func transaction(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
    try execute("BEGIN IMMEDIATE")
    do throws(SQLiteError) {
      try body()
      try execute("COMMIT")
    } catch {
      // SQLite rolls back by itself after some errors, such as a full disk.
      if isInTransaction { try? execute("ROLLBACK") }
      throw error
    }
  }

  // MARK: The mark

  /// Reads the flag that the folder must have a mark: those of older programs have none.
  func requiresMark() throws(SQLiteError) -> Bool { try number("PRAGMA user_version") != 0 }

  /// Records that the folder must have a mark from now on; older programs ignore this.
  func requireMark() throws(SQLiteError) { try execute("PRAGMA user_version = 1") }

  // MARK: The write-ahead log

  /// Syncs all commits (`fdatasync(2)` of the write-ahead log).
  ///
  /// Pages that have left the log were synced when they were moved into the database.
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

  /// Counts the pages in the write-ahead log, instead of checkpointing automatically at a thousand.
  func countLog() {
    sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        context?.assumingMemoryBound(to: Int32.self).pointee = pages
        return SQLITE_OK
      }, logged)
  }

  /// The number of pages in the write-ahead log that are not yet in the database, as of this connection's last commit.
  var pagesInLog: Int {
    // Fewer pages than were moved mean that the log has been reset.
    Int(logged.pointee < moved ? logged.pointee : logged.pointee - moved)
  }

  /// Moves the write-ahead log into the database, as far as readers permit it.
  func checkpoint() throws(SQLiteError) {
    let code = sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_PASSIVE, logged, &moved)
    if code != SQLITE_OK && code & 0xff != SQLITE_BUSY { throw error(code) }
  }
}
