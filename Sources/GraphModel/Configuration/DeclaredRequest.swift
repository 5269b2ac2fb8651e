package import JSON

/// The declaration of a request to an HTTP server that an action makes.
package struct DeclaredRequest: Sendable {
  let connectionName: HTTPConnectionName
  package let method: HTTPMethod?
  package let path: PathExpression
  package let query: GraphExpression?
  package let headers: HeaderExpressions?
  package let body: GraphExpression?
  package let form: GraphExpression?
  package let text: GraphExpression?
  package let answer: HTTPAnswerForm
  let isIdempotent: Bool

  /// The descriptions of its parameters.
  package static var descriptions: [ParameterDescription] { parameters.descriptions }

  static let parameters = ParameterList(
    Parameter<HTTPConnectionName>("connection", "the connection to the server"),
    Parameter<HTTPMethod?>(
      "method", "the method; POST if there is a body, else GET", initial: .some(nil)),
    Parameter<PathExpression>(
      "path", "the path: a text that begins with /, or an expression that makes one of the value",
      initial: .fixed("/")),
    Parameter<GraphExpression?>(
      "query",
      "makes an object of the value, whose members are the query: texts, numbers, booleans, and lists of these",
      initial: .some(nil)),
    Parameter<HeaderExpressions?>("headers", "makes the headers of the value, by their names", initial: .some(nil)),
    Parameter<GraphExpression?>("body", "makes the body of the value, which is sent as JSON", initial: .some(nil)),
    Parameter<GraphExpression?>(
      "form", "makes an object of the value, which is sent as a form", initial: .some(nil)),
    Parameter<GraphExpression?>("text", "makes a text of the value, which is the body", initial: .some(nil)),
    Parameter<HTTPAnswerForm>(
      "answer", "whether the output is the body of the answer, or {status, headers, body}", initial: .body),
    Parameter<Bool>(
      "idempotency", "whether each attempt of a call carries the same Idempotency-Key", initial: true))

  /// Reads the request; `nil` after reporting every error in it.
  package static func read(_ entry: ConfigNode.Entry, _ reader: DeclarationReader) -> DeclaredRequest? {
    guard let request = parameters.read(entry.value, of: "http", at: entry.key, reader).map(DeclaredRequest.init) else {
      return nil
    }
    if let problem = request.problem {
      reader.problems.error("http: \(problem)", at: entry.value)
      return nil
    }
    return request
  }

  private var problem: String? {
    let bodies = [body, form, text].count { $0 != nil }
    if bodies > 1 { return "give one of body, form and text" }
    if bodies == 1, let method, !method.mayHaveBody { return "a request with method \(method.rawValue) has no body" }
    return nil
  }

  /// The settings of the action for the adapter.
  package var settings: JSONObject { ["idempotency": .bool(isIdempotent)] }

  package var connection: ConnectionReference { connectionName.reference }

  package var hasBody: Bool { body != nil || form != nil || text != nil }
}
