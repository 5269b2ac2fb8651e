import JSON

/// The files for TLS: the authorities that are trusted, and the client's own certificate with its key.
enum TLSFiles {
  /// Reads `tls: {ca, certificate, key}`; `nil` after reporting every error in it.
  ///
  /// - Parameters:
  ///   - isEncrypted: True if the address asks for TLS, or is not known.
  ///   - schemes: The addresses that ask for it, for the message.
  static func read(_ reader: Reader, isEncrypted: Bool, schemes: String) -> JSONObject? {
    guard let mapping = reader.mapping() else { return nil }
    let errors = reader.problems.errorCount
    var values = JSONObject()
    for key in ["ca", "certificate", "key"] {
      if let path = mapping.optional(key)?.path() { values[key] = .string(path) }
    }
    mapping.finish()
    if !isEncrypted {
      reader.problems.error("tls is for an address that begins with \(schemes)", at: reader)
    }
    if (mapping.entry("key") == nil) != (mapping.entry("certificate") == nil) {
      reader.problems.error("a certificate and its key go together", at: reader)
    }
    return reader.problems.errorCount == errors ? values : nil
  }
}
