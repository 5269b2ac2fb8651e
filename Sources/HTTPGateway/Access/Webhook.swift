internal import Digests

/// A webhook for services that can only push: its signal, and the secret that signs the bodies.
struct Webhook {
  let name: String
  /// The input that its requests are sent to.
  let signal: String
  /// The header with the signature, such as `X-Hub-Signature-256`.
  let header: String
  let secret: [UInt8]

  /// Checks the signature of a body: HMAC-SHA-256 in hexadecimal digits, with or without the prefix `sha256=`.
  func isSigned(_ body: [UInt8], by signature: String?) -> Bool {
    guard let signature else { return false }
    let digits = signature.hasPrefix("sha256=") ? signature.dropFirst(7) : signature[...]
    guard let code = Hexadecimal.bytes(of: digits) else { return false }
    return SHA256.isSame(code, SHA256.code(of: body, key: secret))
  }
}
