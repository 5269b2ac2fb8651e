/// The statuses of HTTP (RFC 9110).
enum HTTPStatus {
  /// Returns a status with its reason phrase: `503 Service Unavailable`.
  static func text(of status: Int) -> String { phrases[status].map { "\(status) \($0)" } ?? "\(status)" }

  /// Indicates that another attempt may be answered otherwise.
  static func isTemporary(_ status: Int) -> Bool { [408, 425, 429].contains(status) || status >= 500 }

  private static let phrases = [
    200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content", 301: "Moved Permanently",
    302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect",
    400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
    406: "Not Acceptable", 407: "Proxy Authentication Required", 408: "Request Timeout", 409: "Conflict", 410: "Gone",
    411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large", 414: "URI Too Long",
    415: "Unsupported Media Type", 421: "Misdirected Request", 422: "Unprocessable Content", 423: "Locked",
    425: "Too Early", 428: "Precondition Required", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
    451: "Unavailable For Legal Reasons", 500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway",
    503: "Service Unavailable", 504: "Gateway Timeout", 507: "Insufficient Storage",
  ]
}
