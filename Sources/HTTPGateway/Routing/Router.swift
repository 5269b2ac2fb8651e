internal import Base
internal import WireProtocol

/// The search for the route of a request.
enum Router {
  /// Returns the route for a request, and the name in its path.
  static func find(_ request: HTTPRequest, among routes: [Route]) throws(Problem) -> (route: Route, name: String) {
    // HEAD is answered like GET; the library omits the body.
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

  /// An unknown parameter would have no effect, which would be misleading.
  private static func checkParameters(of route: Route, _ request: HTTPRequest) throws(Problem) {
    let known = route.parameters.filter { $0.place == .query }
    var seen: Set<String> = []
    for (name, _) in request.query where name != "token" {
      guard let parameter = known.first(where: { $0.name == name }) else {
        if route.ignoresUnknown { continue }
        let hint = Suggestion.likely(for: name, among: known.map(\.name)).map { "; did you mean \($0.quoted)?" } ?? ""
        throw Problem(400, ErrorCode.badRequest.rawValue, "unknown parameter \(name.quoted)\(hint)")
      }
      if !seen.insert(name).inserted && !parameter.isRepeated {
        throw Problem(400, ErrorCode.badRequest.rawValue, "duplicate parameter \(name.quoted)")
      }
    }
    for parameter in known where parameter.isRequired && !seen.contains(parameter.name) {
      throw Problem(400, ErrorCode.badRequest.rawValue, "missing parameter \(parameter.name.quoted)")
    }
  }
}
