internal import CGnuTLS

/// SHA-256, and the code with a key that is made of it (HMAC, RFC 2104), as GnuTLS computes them.
package enum SHA256 {
  /// The bytes of a digest.
  package static let size = 32

  package static func digest(of bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: size)
    let status = gnutls_hash_fast(GNUTLS_DIG_SHA256, bytes, bytes.count, &digest)
    precondition(status == 0, "GnuTLS has no SHA-256")
    return digest
  }

  /// The code that proves that its maker knows the key.
  package static func code(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: size)
    let status = gnutls_hmac_fast(GNUTLS_MAC_SHA256, key, key.count, bytes, bytes.count, &code)
    precondition(status == 0, "GnuTLS has no HMAC of SHA-256")
    return code
  }

  /// Whether both are the same, in a time that does not tell where they differ.
  package static func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.count == other.count && gnutls_memcmp(one, other, one.count) == 0
  }
}

/// Bytes that nobody can guess.
package enum RandomBytes {
  package static func make(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let status = gnutls_rnd(GNUTLS_RND_KEY, &bytes, count)
    precondition(status == 0, "GnuTLS has no random numbers")
    return bytes
  }
}
