import JSON

/// The files for TLS: the authorities that are trusted, and the client's own certificate with its key.
enum TLSFiles {
  private static let keys = ["ca", "certificate", "key"]

  /// Reads `tls: {ca, certificate, key}`; `nil` after reporting every error in it.
  static func read(_ reader: Reader) -> JSONObject? {
    guard let mapping = reader.mapping(of: keys) else { return nil }
    let errors = reader.problems.errorCount
    var values = JSONObject()
    for key in keys {
      if let path = mapping.optional(key)?.path() { values[key] = .string(path) }
    }
    if (mapping.entry("key") == nil) != (mapping.entry("certificate") == nil) {
      reader.problems.error("a certificate and its key go together", at: reader)
    }
    return reader.problems.errorCount == errors ? values : nil
  }
}
