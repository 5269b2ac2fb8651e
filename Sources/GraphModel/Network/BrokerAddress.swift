/// The address of a broker: its scheme, host and port.
struct BrokerAddress {
  let scheme: String
  /// The host; an IPv6 address without its brackets.
  let host: String
  let port: Int

  /// Parses an address such as `mqtt://host:1883`.
  ///
  /// - Parameter schemes: The schemes and their default ports.
  /// - Throws: The reason that it is none.
  init(_ text: String, schemes: [(name: String, port: Int)]) throws(HTTPAddressError) {
    guard let scheme = schemes.first(where: { text.hasPrefix($0.name + "://") }) else {
      let list = schemes.map { "\($0.name)://HOST:PORT" }.joined(separator: " or ")
      throw HTTPAddressError("expected the address of a broker: \(list)")
    }
    var rest = text.dropFirst(scheme.name.count + 3)
    if rest.hasSuffix("/") { rest.removeLast() }
    if rest.contains("@") { throw HTTPAddressError("an address has no user and no password: give them by their keys") }
    if rest.contains(where: { "/?#".contains($0) }) {
      throw HTTPAddressError("the address of a broker ends behind its port")
    }
    guard HTTPAddress.isAuthority(rest), let (host, port) = HTTPAddress.parts(of: rest) else {
      throw .invalid(rest)
    }
    self.scheme = scheme.name
    self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : String(host)
    self.port = port.flatMap { Int($0) } ?? scheme.port
  }
}
