internal import Linux

/// Bytes on their way to or from the daemon: as text where they are UTF-8, otherwise in Base64.
enum Body: Equatable, Sendable {
  case text(String)
  case bytes([UInt8])

  init(_ bytes: [UInt8]) {
    // A zero byte is text as well.
    if let text = String(validating: bytes, as: UTF8.self) { self = .text(text) } else { self = .bytes(bytes) }
  }

  /// Decodes the body of an HTTP message: by the charset of its type unless it is UTF-8, as many are whose server says otherwise.
  init(_ bytes: [UInt8], contentType: String?) {
    self.init(bytes)
    if case .text(let text) = self, !text.utf8.contains(0) { return }
    guard let name = contentType.flatMap(Self.charset), let encoding = CharacterEncoding(name) else { return }
    if let text = encoding.text(of: bytes) { self = .text(text) }
  }

  /// Returns the parameter of a media type that names its encoding (RFC 9110, 8.3.2).
  private static func charset(of type: String) -> String? {
    for parameter in type.split(separator: ";").dropFirst() {
      let parts = parameter.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " && $0 != "\t" } }
      guard parts.count == 2, parts[0].lowercased() == "charset" else { continue }
      return parts[1].filter { $0 != "\"" }
    }
    return nil
  }
}
