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
