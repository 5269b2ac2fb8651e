internal import Base
internal import JSON

/// The requests that tasks and sources are turned into.
enum HTTPRequests {
  /// The methods that change nothing, and need no key to be repeated.
  private static let safe: Set = ["GET", "HEAD", "OPTIONS", "TRACE"]

  /// Returns the request of a task.
  static func request(_ task: AdapterTask, _ settings: HTTPSettings) throws(TaskFailure) -> TransferRequest {
    let fields = task.request
    var request = try request(fields, settings)
    request.method = fields.string("method") ?? "POST"
    guard HTTPHeaders.isToken(request.method), request.method != "CONNECT" else {
      throw TaskFailure("bad_request", "the method is no method of a request")
    }
    if let text = fields.string("body") {
      request.body = Array(text.utf8)
    } else if let text = fields.string("body_base64") {
      guard let bytes = Base64.bytes(of: text) else { throw TaskFailure("bad_request", "the body is no Base64") }
      request.body = bytes
    }
    var headers = HTTPHeaders(request.headers)
    if let type = fields.string("content_type"), request.body != nil { try headers.add("Content-Type", type) }
    if !safe.contains(request.method), !task.key.isEmpty { try headers.add("Idempotency-Key", task.key) }
    request.headers = headers.fields
    return request
  }

  /// Returns a request to a connection: its path, query and headers.
  static func request(_ fields: JSONObject, _ settings: HTTPSettings) throws(TaskFailure) -> TransferRequest {
    let path = fields.string("path") ?? "/"
    guard path.hasPrefix("/"), !PercentEncoding.hasDotSegment(path) else {
      throw TaskFailure("bad_request", "the path must begin with / and have no segment . or ..")
    }
    var request = TransferRequest(url: "\(settings.origin)\(settings.prefix)\(PercentEncoding.path(path))")
    let query = fields.nested("query").map { PercentEncoding.query($0) } ?? fields.string("query") ?? ""
    if !query.isEmpty { request.url += "?" + query.filter { $0 != "#" && $0 != " " } }
    var headers = HTTPHeaders(settings.headers)
    try headers.set(fields.texts("headers").map { ($0.name, $0.value) })
    request.headers = headers.fields
    request.timeout = settings.timeout
    request.patience = min(settings.timeout, .seconds(60))
    request.limit = settings.limit
    return request
  }
}
