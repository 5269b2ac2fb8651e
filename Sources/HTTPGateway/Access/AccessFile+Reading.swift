internal import Linux

extension AccessFile {
  /// The largest file of tokens or of a secret, in bytes.
  private static let limit = 1 << 20

  /// Reads the file and the secrets that it names.
  static func read(_ path: String) throws(AccessFileError) -> AccessFile {
    let text = String(decoding: try bytes(path), as: UTF8.self)
    return try AccessFile(text, path: path) { (path) throws(AccessFileError) in
      // The end of line at the end of the file is not part of the secret.
      var secret = try bytes(path)
      while secret.last == UInt8(ascii: "\n") || secret.last == UInt8(ascii: "\r") { secret.removeLast() }
      return secret
    }
  }

  private static func bytes(_ path: String) throws(AccessFileError) -> [UInt8] {
    do { return try RegularFile.read(path, limit: limit) } catch { throw AccessFileError("\(path): \(error)") }
  }
}
