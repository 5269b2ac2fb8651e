import Glibc
import Linux

/// A folder in which another one is made, and which is removed with all that is in it.
package final class ScratchFolder {
  package let path: String

  /// The path of the database in it.
  package var database: String { FolderPath(path: path).database }

  /// - Parameter parent: the folder in which it is made.
  package init(in parent: String) throws(StorageError) {
    var template = Array("\(parent)/signalbox-state.XXXXXX".utf8CString)
    if mkdtemp(&template) == nil { throw FolderPath(path: parent).failed(.last("mkdtemp", parent)) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    let folder = FolderPath(path: path)
    for file in [folder.lock, folder.database, folder.log, folder.index] { unlink(file) }
    rmdir(path)
  }

  /// The content of the database, once nobody has it open.
  package func content() throws(StorageError) -> [UInt8] {
    let folder = FolderPath(path: path)
    do throws(FileError) { return try RegularFile.read(folder.database, limit: .max - 1) } catch {
      throw StorageError(.failed, "\(error)")
    }
  }

  /// Puts a database there that was made elsewhere.
  package func put(_ content: [UInt8]) throws(StorageError) {
    do throws(FileError) { try RegularFile.write(content, to: FolderPath(path: path).database) } catch {
      throw StorageError(.failed, "\(error)")
    }
  }
}
