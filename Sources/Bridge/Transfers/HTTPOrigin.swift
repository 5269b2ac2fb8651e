internal import CCurl

/// The scheme, the host and the port of an address: who is talked to.
struct HTTPOrigin: Hashable, Sendable {
  let scheme: String
  let host: String
  let port: String

  /// The parts of an address that name no peer.
  struct Address: Sendable {
    let origin: HTTPOrigin
    let path: String
    let query: String?
    let user: String?
    let password: String?
  }

  init(scheme: String, host: String, port: String) {
    self.scheme = scheme
    self.host = host
    self.port = port
  }

  /// Takes an address apart (`curl_url(3)`); `nil` for one that is none of HTTP.
  static func address(of url: String) -> Address? {
    guard let parts = curl_url() else { return nil }
    defer { curl_url_cleanup(parts) }
    let decoded = UInt32(CURLU_URLDECODE)
    guard curl_url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK,
      let scheme = text(parts, CURLUPART_SCHEME)?.lowercased(), ["http", "https"].contains(scheme),
      let host = text(parts, CURLUPART_HOST)?.lowercased(),
      let port = text(parts, CURLUPART_PORT, UInt32(CURLU_DEFAULT_PORT))
    else { return nil }
    return Address(
      origin: HTTPOrigin(scheme: scheme, host: host, port: port), path: text(parts, CURLUPART_PATH) ?? "/",
      query: text(parts, CURLUPART_QUERY), user: text(parts, CURLUPART_USER, decoded),
      password: text(parts, CURLUPART_PASSWORD, decoded))
  }

  private static func text(_ parts: OpaquePointer, _ part: CURLUPart, _ flags: UInt32 = 0) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard curl_url_get(parts, part, &text, flags) == CURLUE_OK, let text else { return nil }
    defer { curl_free(text) }
    return String(cString: text)
  }
}

extension HTTPOrigin: CustomStringConvertible {
  /// The origin as an address begins: `https://api.example.org`.
  var description: String {
    let isDefault = (scheme, port) == ("http", "80") || (scheme, port) == ("https", "443")
    return isDefault ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
  }
}
