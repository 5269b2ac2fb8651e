/// The origins whose pages may send requests from a browser (`--allow-origin`), by the rules of CORS.
///
/// Credentials of the browser are never allowed: a page sends its token itself.
struct AllowedOrigins: Sendable {
  private let origins: Set<String>

  init(_ origins: [String] = []) { self.origins = Set(origins.map { $0.lowercased() }) }

  /// Returns the error in an origin of the command line; `nil` if it is valid.
  static func mistake(in origin: String) -> String? {
    guard let end = origin.firstRange(of: "://")?.upperBound, ["http", "https"].contains(origin.prefix { $0 != ":" })
    else { return "must be SCHEME://HOST[:PORT] with http or https" }
    let host = origin[end...]
    let isHost = host.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-.:[]_".contains($0)) }
    return host.isEmpty || !isHost ? "must be SCHEME://HOST[:PORT], without a path and without *" : nil
  }

  func allows(_ origin: String) -> Bool { origins.contains(origin.lowercased()) }

  /// Returns the headers of a response to a request.
  func headers(for request: HTTPRequest) -> [HTTPResponse.Header] {
    if origins.isEmpty { return [] }
    guard let origin = request.header("Origin"), allows(origin) else { return [("Vary", "Origin")] }
    return [
      ("Vary", "Origin"), ("Access-Control-Allow-Origin", origin),
      ("Access-Control-Expose-Headers", "ETag, Signal-Time, Retry-After"),
    ]
  }

  /// Returns the response to a preflight request; `nil` if it is none, or of another origin.
  func preflight(_ request: HTTPRequest) -> HTTPResponse? {
    guard request.method == "OPTIONS", request.header("Access-Control-Request-Method") != nil,
      let origin = request.header("Origin"), allows(origin)
    else { return nil }
    return HTTPResponse(
      204,
      headers: [
        ("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, DELETE"),
        ("Access-Control-Allow-Headers", "Authorization, Content-Type, If-None-Match, Last-Event-ID, Idempotency-Key"),
        ("Access-Control-Max-Age", "600"),
      ])
  }
}
