import Glibc

/// The reason for failing to read a file or a directory.
package enum FileFailure: Error, Equatable {
  /// The system's error (errno).
  case system(Int32)
  /// A device, a socket or another special file.
  case notRegular
  case tooLarge(limit: Int)

  package static let missing = FileFailure.system(ENOENT)
  package static let isDirectory = FileFailure.system(EISDIR)

  package var meaning: String {
    switch self {
    case .system(let code): String(cString: strerror(code))
    case .notRegular: "Not a regular file"
    case .tooLarge(let limit): "Larger than \(SizeText.written(limit))"
    }
  }
}
