internal import CGnuTLS

/// SHA-256 and HMAC-SHA-256 (RFC 2104), computed by GnuTLS.
enum SHA256 {
  /// The size of a digest in bytes.
  static let size = 32

  static func digest(of bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: size)
    let status = gnutls_hash_fast(GNUTLS_DIG_SHA256, bytes, bytes.count, &digest)
    precondition(status == 0, "GnuTLS has no SHA-256")
    return digest
  }

  /// Returns the HMAC of bytes.
  static func code(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: size)
    let status = gnutls_hmac_fast(GNUTLS_MAC_SHA256, key, key.count, bytes, bytes.count, &code)
    precondition(status == 0, "GnuTLS has no HMAC of SHA-256")
    return code
  }

  /// Returns `true` for equal bytes, in a time that does not depend on where they differ.
  static func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.count == other.count && gnutls_memcmp(one, other, one.count) == 0
  }
}

/// Cryptographically secure random bytes.
enum RandomBytes {
  static func make(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let status = gnutls_rnd(GNUTLS_RND_KEY, &bytes, count)
    precondition(status == 0, "GnuTLS has no random numbers")
    return bytes
  }
}
