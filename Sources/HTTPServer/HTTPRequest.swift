/// A request as it came: nothing in it is to be trusted.
package struct HTTPRequest: Sendable {
  package typealias Field = (name: String, value: String)

  package var method: String
  /// The path, its escapes resolved, without the query.
  package var path: String
  /// The parameters of the query in their order, escapes resolved.
  package var query: [Field]
  package var headers: [Field]
  package var body: [UInt8]

  package init(method: String, path: String, query: [Field] = [], headers: [Field] = [], body: [UInt8] = []) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }

  /// A header, whichever letters of its name are capital; of several the first.
  package func header(_ name: String) -> String? {
    headers.first { $0.name.utf8.elementsEqual(name.utf8) || $0.name.lowercased() == name.lowercased() }?.value
  }

  /// All headers of a name.
  package func headers(_ name: String) -> [String] {
    headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
  }

  /// Whether two readers could disagree on where its body ends, as a proxy and this one (RFC 9112, 5.1 and 6.3).
  var hasUnclearEnd: Bool {
    let codings = headers("Transfer-Encoding")
    let lengths = headers("Content-Length")
    return lengths.count + codings.count > 1 || codings.contains { $0.lowercased() != "chunked" }
      || headers.contains { $0.name.utf8.contains { $0 <= 0x20 } }
  }

  package func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }

  package func parameters(_ name: String) -> [String] { query.filter { $0.name == name }.map(\.value) }
}
