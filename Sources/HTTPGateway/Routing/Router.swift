internal import HTTPServer
internal import Spelling
internal import WireProtocol

/// The way from a request to one of them.
enum Router {
  /// The route for a request, and the name in its path.
  static func find(_ request: HTTPRequest, among routes: [Route]) throws(Problem) -> (route: Route, name: String) {
    // The answer to HEAD is that to GET, of which the library leaves the body out.
    let method = request.method == "HEAD" ? "GET" : request.method
    var allowed: [String] = []
    for route in routes {
      guard let name = route.match(request.path) else { continue }
      if route.methods.contains(method) {
        try checkParameters(of: route, request)
        return (route, name)
      }
      allowed += route.methods
    }
    throw allowed.isEmpty ? .notFound(request.path) : .methodNotAllowed(request.method, allowed)
  }

  /// A parameter that is not known would change nothing, and so mislead.
  private static func checkParameters(of route: Route, _ request: HTTPRequest) throws(Problem) {
    let known = route.parameters.filter { $0.place == .query }
    var seen: Set<String> = []
    for (name, _) in request.query where name != "token" {
      guard let parameter = known.first(where: { $0.name == name }) else {
        let hint = Suggestion.likely(for: name, among: known.map(\.name)).map { "; did you mean \($0.quoted)?" } ?? ""
        throw Problem(400, ErrorCode.badRequest.rawValue, "no parameter \(name.quoted) here\(hint)")
      }
      if !seen.insert(name).inserted && !parameter.isRepeated {
        throw Problem(400, ErrorCode.badRequest.rawValue, "\(name.quoted) stands twice")
      }
    }
    for parameter in known where parameter.isRequired && !seen.contains(parameter.name) {
      throw Problem(400, ErrorCode.badRequest.rawValue, "the parameter \(parameter.name.quoted) is missing")
    }
  }
}
