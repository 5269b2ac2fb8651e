import GraphModel
import JSON

extension DeclaredRequest: NetworkRequest {
  /// Computes the request for the value of a call.
  func request(for value: JSONValue, of action: String, _ engine: GraphEngine) throws(SignalFailure) -> JSONObject {
    let evaluation = RequestEvaluation(value, of: action, engine)
    var request: JSONObject = [
      "method": .string((method ?? (hasBody ? .post : .get)).rawValue), "path": .string(try path(evaluation)),
    ]
    if let query { request["query"] = .object(try evaluation.query(query)) }
    let headers = try evaluation.headers(self.headers)
    if let content = try content(evaluation) {
      request["body"] = .string(content.body)
      // A header of the action names the type better.
      if headers.contentType == nil { request["content_type"] = .string(content.type) }
    }
    if !headers.values.isEmpty { request["headers"] = .object(headers.values) }
    request["answer"] = .string(answer.rawValue)
    return request
  }

  private func path(_ evaluation: RequestEvaluation) throws(SignalFailure) -> String {
    switch path {
    case .fixed(let path): return connection.base + path
    case .computed(let expression):
      guard case .string(let path)? = try evaluation.first(of: expression, "path")?.plain else {
        throw .badValue("path: a path is a text")
      }
      if let problem = RequestPath.problem(in: path) { throw .badValue("path: \(problem)") }
      return connection.base + RequestPath.encoded(path)
    }
  }

  private func content(_ evaluation: RequestEvaluation) throws(SignalFailure) -> (body: String, type: String)? {
    if let body {
      guard let value = try evaluation.first(of: body, "body") else { throw .badValue("body: it has no output") }
      return (String(decoding: Payload.value(value).json, as: UTF8.self), "application/json")
    }
    if let form { return (try evaluation.form(form), "application/x-www-form-urlencoded") }
    guard let text else { return nil }
    guard case .string(let value)? = try evaluation.first(of: text, "text")?.plain else {
      throw .badValue("text: the body is a text")
    }
    return (value, "text/plain; charset=utf-8")
  }
}
