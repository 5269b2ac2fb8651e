import CSQLite

/// A compiled SQL statement with its parameters and current row.
final class Statement {
  // A statement keeps its connection alive.
  private let database: Database
  private let handle: OpaquePointer

  init(_ database: Database, _ sql: String) throws(SQLiteError) {
    self.database = database
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v2(database.handle, sql, -1, &prepared, nil)
    guard code == SQLITE_OK, let handle = prepared else { throw database.error(code) }
    self.handle = handle
  }

  deinit {
    sqlite3_finalize(handle)
  }

  // MARK: Parameters, from 1

  func bind(_ index: Int32, _ number: Int64) { sqlite3_bind_int64(handle, index, number) }

  /// Binds the bit pattern of an unsigned number.
  func bind(_ index: Int32, _ number: UInt64) { bind(index, Int64(bitPattern: number)) }

  /// Binds a text, which SQLite copies.
  func bind(_ index: Int32, _ text: String) {
    sqlite3_bind_text(handle, index, text, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
  }

  /// Binds bytes without a copy for the duration of a call.
  func bind<Result>(_ index: Int32, _ bytes: ArraySlice<UInt8>, during body: () -> Result) -> Result {
    bytes.withUnsafeBytes { bytes in
      // A null address would bind NULL instead of an empty blob.
      if let base = bytes.baseAddress, !bytes.isEmpty {
        sqlite3_bind_blob64(handle, index, base, UInt64(bytes.count), nil)
      } else {
        sqlite3_bind_zeroblob(handle, index, 0)
      }
      defer { sqlite3_bind_null(handle, index) }
      return body()
    }
  }

  // MARK: Running

  /// Advances to the next row; false after the last one.
  func step() throws(SQLiteError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE:
      sqlite3_reset(handle)
      return false
    case let code:
      let error = database.error(code)
      sqlite3_reset(handle)
      throw error
    }
  }

  /// Runs a statement without result rows.
  func run() throws(SQLiteError) {
    while try step() {}
  }

  /// Runs the statement and returns a result, for closures that cannot throw.
  func result() -> Result<Void, SQLiteError> {
    do throws(SQLiteError) { return .success(try run()) } catch { return .failure(error) }
  }

  func reset() { sqlite3_reset(handle) }

  // MARK: Columns, from 0

  /// Returns an integer column; `nil` for any other type.
  func integer(_ column: Int32) -> Int64? {
    sqlite3_column_type(handle, column) == SQLITE_INTEGER ? sqlite3_column_int64(handle, column) : nil
  }

  func unsigned(_ column: Int32) -> UInt64? { integer(column).map { UInt64(bitPattern: $0) } }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  func blob(_ column: Int32) -> [UInt8]? {
    guard sqlite3_column_type(handle, column) == SQLITE_BLOB else { return nil }
    // The address is fetched first, since that may convert the value and change its length.
    guard let base = sqlite3_column_blob(handle, column) else { return [] }
    return Array(UnsafeRawBufferPointer(start: base, count: Int(sqlite3_column_bytes(handle, column))))
  }

  func text(_ column: Int32) -> String? {
    guard sqlite3_column_type(handle, column) == SQLITE_TEXT, let base = sqlite3_column_text(handle, column) else {
      return nil
    }
    return String(cString: base)
  }
}
