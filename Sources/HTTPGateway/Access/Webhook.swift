internal import Digests

/// A way in for those who can only push: its signal, and the secret with which bodies are signed.
struct Webhook {
  let name: String
  /// The input that gets what comes.
  let signal: String
  /// The header with the signature, such as `X-Hub-Signature-256`.
  let header: String
  let secret: [UInt8]

  /// Whether a body was signed with the secret: HMAC-SHA-256 in hexadecimal digits, behind `sha256=` or alone.
  func isSigned(_ body: [UInt8], by signature: String?) -> Bool {
    guard let signature else { return false }
    let digits = signature.hasPrefix("sha256=") ? signature.dropFirst(7) : signature[...]
    guard let code = Hexadecimal.bytes(of: digits) else { return false }
    return SHA256.isSame(code, SHA256.code(of: body, key: secret))
  }
}
