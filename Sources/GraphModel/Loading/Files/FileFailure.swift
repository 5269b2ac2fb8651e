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
  /// A file that waits for more in place of an end.
  static let endless = FileFailure.system(EAGAIN)

  package var meaning: String {
    switch self {
    case .endless: "Waits for more instead of ending"
    case .notRegular: "Not a regular file"
    case .system(let code): String(cString: strerror(code))
    case .tooLarge(let limit): "Larger than \(SizeText.written(limit))"
    }
  }
}
