/// A request as received; its content is not trusted.
struct HTTPRequest: Sendable {
  typealias Field = (name: String, value: String)

  var method: String
  /// The path without the query, percent-decoded.
  var path: String
  /// The parameters of the query in order, percent-decoded.
  var query: [Field]
  var headers: [Field]
  var body: [UInt8]
  /// True if its path or its query has an encoded NUL, where the path ends here.
  var hasNUL = false

  init(method: String, path: String, query: [Field] = [], headers: [Field] = [], body: [UInt8] = []) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }

  /// Takes the host from a path in absolute form, `http://HOST/PATH`, where it replaces that of the header (RFC 9112, 3.2.2).
  mutating func resolveAbsoluteForm() {
    guard !path.hasPrefix("/"), let end = path.firstRange(of: "://")?.upperBound,
      ["http", "https"].contains(path[..<end].dropLast(3).lowercased())
    else { return }
    let host = path[end...].prefix { $0 != "/" }
    headers.removeAll { $0.name.lowercased() == "host" }
    headers.append(("Host", String(host)))
    path = host.endIndex == path.endIndex ? "/" : String(path[host.endIndex...])
  }

  /// The tags in `If-None-Match`, without the mark of weak ones; `*` stands for any.
  var knownTags: [String] {
    headers("If-None-Match").flatMap { $0.split(separator: ",") }.map { tag in
      var text = tag.drop { $0.isBlank }
      while text.last?.isBlank == true { text.removeLast() }
      return String(text.hasPrefix("W/") ? text.dropFirst(2) : text)
    }
  }

  /// Returns the first header with a name, regardless of case.
  func header(_ name: String) -> String? {
    headers.first { $0.name.utf8.elementsEqual(name.utf8) || $0.name.lowercased() == name.lowercased() }?.value
  }

  /// Returns all headers with a name.
  func headers(_ name: String) -> [String] {
    headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
  }

  /// True if it does not announce the length of its body.
  var isChunked: Bool { !headers("Transfer-Encoding").isEmpty }

  /// True if two parsers, such as a proxy and this one, could disagree about the end of its body (RFC 9112, 5.1 and
  /// 6.3).
  var hasUnclearEnd: Bool {
    let codings = headers("Transfer-Encoding")
    let lengths = headers("Content-Length")
    return lengths.count + codings.count > 1 || codings.contains { $0.lowercased() != "chunked" }
      || headers.contains { $0.name.utf8.contains { $0 <= 0x20 } }
  }

  func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }

  func parameters(_ name: String) -> [String] { query.filter { $0.name == name }.map(\.value) }
}

extension Character {
  fileprivate var isBlank: Bool { self == " " || self == "\t" }
}
