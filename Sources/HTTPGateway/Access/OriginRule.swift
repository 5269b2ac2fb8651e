internal import WireProtocol

/// The host names of the server, and the origins of pages that may send requests.
///
/// A page of another site must not reach it, neither directly (`Origin`) nor by giving its own name this address
/// (`Host`): a browser would send the user's credentials along.
struct OriginRule {
  /// The names besides numeric addresses and `localhost`, in lower case, without ports.
  let names: Set<String>

  /// Further origins whose pages may send requests.
  let allowed: AllowedOrigins

  init(names: [String] = [], allowed: AllowedOrigins = AllowedOrigins()) {
    self.names = Set(names.map { $0.lowercased() })
    self.allowed = allowed
  }

  func check(_ request: HTTPRequest) throws(Problem) {
    let hosts = request.headers("Host")
    guard hosts.count == 1, isOwn(hosts[0]) else {
      throw Problem(
        421, "misdirected", "unknown host \((hosts.first ?? "").quoted); allow it with --host")
    }
    try checkOrigin(request)
  }

  /// Checks the origin alone, for a Unix socket, where the host name does not matter.
  func checkOrigin(_ request: HTTPRequest) throws(Problem) {
    let host = request.header("Host") ?? ""
    for origin in request.headers("Origin") where !isOwn(origin: origin, host: host) && !allowed.allows(origin) {
      throw Problem(403, "forbidden_origin", "requests from pages of \(origin.quoted) are not allowed")
    }
  }

  /// Accepts a page of the same host and port under any scheme: TLS may have ended at a proxy.
  private func isOwn(origin: String, host: String) -> Bool {
    guard let end = origin.firstRange(of: "://")?.upperBound else { return false }
    return origin[end...].lowercased() == host.lowercased()
  }

  private func isOwn(_ host: String) -> Bool {
    guard let name = Self.name(of: host.lowercased()) else { return false }
    return name == "localhost" || Self.isNumeric(name) || names.contains(name)
  }

  /// Returns the host without its port; `nil` if it is invalid.
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

  /// A numeric address needs no name server, so it cannot be the result of a forged name.
  private static func isNumeric(_ name: String) -> Bool {
    if name.hasPrefix("[") { return name.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." } }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { 1...3 ~= $0.count && $0.allSatisfy(\.isASCIIDigit) }
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { "0"..."9" ~= self }
}
