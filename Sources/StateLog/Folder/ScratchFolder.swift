import Glibc
import Linux

/// A temporary folder for building another one, removed with its contents.
package final class ScratchFolder {
  package let path: String

  package var database: String { FolderPath(path: path).database }

  /// - Parameter parent: The parent folder.
  package init(in parent: String) throws(StorageError) {
    var template = Array("\(parent)/signalbox-state.XXXXXX".utf8CString)
    if mkdtemp(&template) == nil { throw FolderPath(path: parent).failed(.last("mkdtemp", parent)) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    let folder = FolderPath(path: path)
    for file in [folder.lock, folder.database, folder.log, folder.index, folder.mark] { unlink(file) }
    rmdir(path)
  }

  /// Returns the content of the database, which must be closed.
  package func content() throws(StorageError) -> [UInt8] {
    let folder = FolderPath(path: path)
    do throws(FileError) { return try RegularFile.read(folder.database, limit: .max - 1) } catch {
      throw StorageError(.failed, "\(error)")
    }
  }

  /// Writes a database that was created elsewhere.
  package func put(_ content: [UInt8]) throws(StorageError) {
    do throws(FileError) { try RegularFile.write(content, to: FolderPath(path: path).database) } catch {
      throw StorageError(.failed, "\(error)")
    }
  }
}
