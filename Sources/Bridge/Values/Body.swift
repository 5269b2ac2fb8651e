/// Bytes on their way to or from the daemon: as text where they are UTF-8, otherwise in Base64.
package enum Body: Equatable, Sendable {
  case text(String)
  case bytes([UInt8])

  package init(_ bytes: [UInt8]) {
    // A zero byte is text as well.
    if let text = String(validating: bytes, as: UTF8.self) { self = .text(text) } else { self = .bytes(bytes) }
  }
}
