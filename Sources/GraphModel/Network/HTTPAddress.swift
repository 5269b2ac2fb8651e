import Base

/// The address of an HTTP server: its scheme, host and port, or a socket of this machine.
struct HTTPAddress {
  /// The address without a path: `https://host:port`, or `unix:/path`.
  let origin: String
  /// The beginning of all paths, without a slash at its end.
  let base: String

  var isEncrypted: Bool { origin.hasPrefix("https:") }
  var isSocket: Bool { origin.hasPrefix("unix:") }

  /// Parses an address.
  ///
  /// - Throws: The reason that it is none.
  init(_ text: String) throws(HTTPAddressError) {
    if text.hasPrefix("unix:") {
      let path = text.dropFirst(5)
      guard path.hasPrefix("/"), path.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
        throw HTTPAddressError("a socket's address is an absolute path, as in unix:/run/docker.sock")
      }
      (origin, base) = (text, "")
      return
    }
    guard let scheme = ["http://", "https://"].first(where: text.hasPrefix) else {
      throw HTTPAddressError("expected the address of an HTTP server: http://…, https://… or unix:/path")
    }
    let rest = text.dropFirst(scheme.count)
    let authority = rest.prefix { $0 != "/" }
    if rest.contains("@") { throw HTTPAddressError("an address has no user and no password: give headers") }
    if rest.contains("?") || rest.contains("#") {
      throw HTTPAddressError("an address has no query and no fragment: give them with each request")
    }
    guard Self.isAuthority(authority) else { throw .invalid(authority) }
    let path = rest.dropFirst(authority.count)
    if let reason = RequestPath.problem(in: path.isEmpty ? "/" : String(path)) { throw HTTPAddressError(reason) }
    origin = scheme + authority
    base = String(path.hasSuffix("/") ? path.dropLast() : path)
  }

  /// Returns true for a host with or without a port.
  static func isAuthority(_ text: Substring) -> Bool {
    guard let (host, port) = parts(of: text), !host.isEmpty else { return false }
    let isHost = host.utf8.allSatisfy { byte in
      byte.isASCIILetterOrDigit || byte >= 0x80 || ".-_:[]".utf8.contains(byte)
    }
    guard let port else { return isHost }
    return isHost && UInt16(port).map { $0 > 0 } ?? false
  }

  /// Splits a host from its port; an IPv6 address is in brackets.
  static func parts(of text: Substring) -> (host: Substring, port: Substring?)? {
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      let rest = text[text.index(after: end)...]
      if rest.isEmpty { return (text, nil) }
      return rest.hasPrefix(":") ? (text[...end], rest.dropFirst()) : nil
    }
    guard let colon = text.firstIndex(of: ":") else { return (text, nil) }
    let port = text[text.index(after: colon)...]
    return port.contains(":") ? nil : (text[..<colon], port)
  }
}

/// The reason that a text is no address.
struct HTTPAddressError: Error {
  let message: String

  init(_ message: String) { self.message = message }

  /// The error in a host with or without a port.
  static func invalid(_ authority: Substring) -> HTTPAddressError {
    guard case (let host, let port?)? = HTTPAddress.parts(of: authority), HTTPAddress.isAuthority(host) else {
      return HTTPAddressError("the address names no host")
    }
    return HTTPAddressError("invalid port \"\(port)\": expected 1 to 65535")
  }
}
