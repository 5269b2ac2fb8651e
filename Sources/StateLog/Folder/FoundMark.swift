import Glibc
import Linux

/// The result of reading a folder's mark.
enum FoundMark {
  /// Missing: an older program wrote the folder, or the file was removed.
  case missing
  /// The file is no valid mark.
  case damaged
  /// A mark; `isOriginal` is false in a copy of the file.
  case found(LogMark, isOriginal: Bool)

  init(of folder: FolderPath) throws(StorageError) {
    // A torn read of a concurrent write succeeds on the next attempt; otherwise the file is damaged.
    for _ in 0..<4 {
      do throws(FileError) {
        if let mark = LogMark(file: try RegularFile.read(folder.mark, limit: 64 << 10)) {
          self = .found(mark, isOriginal: FileBirth(path: folder.mark) == mark.file)
          return
        }
      } catch {
        switch error {
        case .system(let error) where error.number != ENOENT && error.number != ENOTDIR: throw folder.failed(error)
        case .system:
          self = .missing
          return
        default: break
        }
      }
    }
    self = .damaged
  }

  /// The mark, if there is one.
  var mark: LogMark? {
    if case .found(let mark, _) = self { mark } else { nil }
  }

  /// True if the folder with its mark is a copy of another one or was restored.
  var isCopy: Bool {
    if case .found(_, isOriginal: false) = self { true } else { false }
  }
}
