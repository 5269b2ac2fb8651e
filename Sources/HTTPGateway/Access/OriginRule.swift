internal import HTTPServer
internal import WireProtocol

/// The names by which a server may be asked for, and the pages that may ask.
///
/// A page of another site must not reach it, neither directly (`Origin`) nor by giving its own name this address
/// (`Host`): a browser would send what it knows of the user along.
struct OriginRule {
  /// Names besides numeric addresses and `localhost`, in small letters, without ports.
  let names: Set<String>

  init(names: [String] = []) { self.names = Set(names.map { $0.lowercased() }) }

  func check(_ request: HTTPRequest) throws(Problem) {
    let hosts = request.headers("Host")
    guard hosts.count == 1, isOwn(hosts[0]) else {
      throw Problem(
        421, "misdirected", "this server is not known as \((hosts.first ?? "").quoted); --host allows another name")
    }
    try checkOrigin(request)
  }

  /// The same where the name does not matter, as on a Unix socket.
  func checkOrigin(_ request: HTTPRequest) throws(Problem) {
    let host = request.header("Host") ?? ""
    for origin in request.headers("Origin") where !isOwn(origin: origin, host: host) {
      throw Problem(403, "forbidden_origin", "pages of \(origin.quoted) may not ask here")
    }
  }

  /// A page of the same host and port, whatever the scheme: TLS may have ended at a proxy.
  private func isOwn(origin: String, host: String) -> Bool {
    guard let end = origin.firstRange(of: "://")?.upperBound else { return false }
    return origin[end...].lowercased() == host.lowercased()
  }

  private func isOwn(_ host: String) -> Bool {
    guard let name = Self.name(of: host.lowercased()) else { return false }
    return name == "localhost" || Self.isNumeric(name) || names.contains(name)
  }

  /// The host without its port; `nil` where it is none.
  private static func name(of host: String) -> String? {
    if host.hasPrefix("[") {
      guard let end = host.firstIndex(of: "]") else { return nil }
      return isPort(host[host.index(after: end)...]) ? String(host[...end]) : nil
    }
    let name = host.prefix { $0 != ":" }
    return !name.isEmpty && isPort(host[name.endIndex...]) ? String(name) : nil
  }

  private static func isPort(_ text: Substring) -> Bool {
    text.isEmpty
      || text.first == ":" && (1...5 ~= text.dropFirst().count) && text.dropFirst().allSatisfy(\.isASCIIDigit)
  }

  /// An address needs no name server, so nobody can have given it to a name.
  private static func isNumeric(_ name: String) -> Bool {
    if name.hasPrefix("[") { return name.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." } }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { 1...3 ~= $0.count && $0.allSatisfy(\.isASCIIDigit) }
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { "0"..."9" ~= self }
}
