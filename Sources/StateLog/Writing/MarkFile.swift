import CSQLite
import Glibc
import Linux

/// A folder's mark file, opened for writing.
///
/// It is written through SQLite's file layer, as the log is, so that errors are reported alike.
final class MarkFile {
  private(set) var mark: LogMark
  private let path: String
  private let name: UnsafeMutablePointer<CChar>
  private let file: UnsafeMutablePointer<sqlite3_file>

  /// Creates and opens a new file, so that an earlier one restored later is not mistaken for it.
  init(of folder: FolderPath, _ reach: LogMark.Reach, numbered count: UInt64) throws(StorageError) {
    path = folder.mark
    mark = try NewMark.make(folder, reach, count: count)
    do throws(SQLiteError) { (file, name) = try Self.open(folder.mark) } catch { throw folder.error(error) }
  }

  deinit {
    _ = file.pointee.pMethods?.pointee.xClose(file)
    UnsafeMutableRawPointer(file).deallocate()
    name.deallocate()
  }

  // MARK: Writing

  /// Records a new end of the log.
  func write(_ reach: LogMark.Reach) throws(SQLiteError) {
    var next = mark
    next.reach = reach
    next.count += 1
    guard let methods = file.pointee.pMethods else { return }
    errno = 0
    let code = next.bytes.withUnsafeBytes { bytes in
      methods.pointee.xWrite(file, bytes.baseAddress, Int32(bytes.count), Int64(next.offset))
    }
    if code != SQLITE_OK { throw error(code) }
    mark = next
  }

  /// Syncs the file.
  func sync() throws(SQLiteError) {
    guard let methods = file.pointee.pMethods else { return }
    errno = 0
    let code = methods.pointee.xSync(file, SQLITE_SYNC_NORMAL | SQLITE_SYNC_DATAONLY)
    if code != SQLITE_OK { throw error(code) }
  }

  private func error(_ code: Int32) -> SQLiteError { Self.error(code, path) }

  private static func error(_ code: Int32, _ path: String) -> SQLiteError {
    SQLiteError(code: code, message: "\(path): \(String(cString: sqlite3_errstr(code)))", errno: errno)
  }

  // MARK: Opening

  /// Opens the file and returns it with its name, which it needs until it is closed.
  private static func open(
    _ path: String
  ) throws(SQLiteError) -> (UnsafeMutablePointer<sqlite3_file>, UnsafeMutablePointer<CChar>) {
    guard let files = sqlite3_vfs_find(nil) else { throw error(SQLITE_CANTOPEN, path) }
    let room = Int(files.pointee.mxPathname) + 2
    let name = UnsafeMutablePointer<CChar>.allocate(capacity: room)
    name.initialize(repeating: 0, count: room)
    let size = max(Int(files.pointee.szOsFile), MemoryLayout<sqlite3_file>.size)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    let file = memory.assumingMemoryBound(to: sqlite3_file.self)
    var code = files.pointee.xFullPathname(files, path, Int32(room - 1), name)
    if code == SQLITE_OK || code == SQLITE_OK | 2 << 8 {  // SQLITE_OK_SYMLINK
      code = files.pointee.xOpen(files, name, file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_SUPER_JOURNAL, nil)
    }
    if code == SQLITE_OK { return (file, name) }
    _ = file.pointee.pMethods?.pointee.xClose(file)
    memory.deallocate()
    name.deallocate()
    throw error(code, path)
  }
}
