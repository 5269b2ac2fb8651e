internal import WireProtocol

/// A query parameter or header of a route, for parsing requests and for the description.
struct RouteParameter: Sendable {
  enum Place: String, Sendable {
    case query, header
  }

  let name: String
  let place: Place
  let doc: String
  var isRequired = false
  /// True if it may be repeated.
  var isRepeated = false

  static func query(_ name: String, _ doc: String, isRequired: Bool = false, isRepeated: Bool = false) -> Self {
    RouteParameter(name: name, place: .query, doc: doc, isRequired: isRequired, isRepeated: isRepeated)
  }

  static func header(_ name: String, _ doc: String) -> Self { RouteParameter(name: name, place: .header, doc: doc) }

  /// Creates a parameter for a field of the protocol, with the protocol's documentation.
  static func field<Request: WireRequest>(
    _ name: String, of request: Request.Type, isRequired: Bool = false, isRepeated: Bool = false
  ) -> Self {
    guard let field = Request.fields.first(where: { $0.name == name }) else {
      preconditionFailure("\(Request.op) has no field \(name)")
    }
    return .query(
      name, "\(field.doc); \(field.expectation)", isRequired: isRequired || field.isRequired, isRepeated: isRepeated)
  }
}
