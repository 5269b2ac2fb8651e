/// The reason phrases of statuses (RFC 9110).
enum HTTPStatus {
  static func phrase(of status: Int) -> String { phrases[status] ?? "Status \(status)" }

  private static let phrases = [
    200: "OK", 202: "Accepted", 204: "No Content", 304: "Not Modified", 308: "Permanent Redirect", 400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 409: "Conflict", 410: "Gone",
    413: "Content Too Large", 415: "Unsupported Media Type", 421: "Misdirected Request",
    422: "Unprocessable Content", 429: "Too Many Requests", 500: "Internal Server Error", 502: "Bad Gateway",
    503: "Service Unavailable", 504: "Gateway Timeout",
  ]
}
