/// A route: its path, parameters, responses and handler.
///
/// It matches requests and generates the description at `/openapi.json`.
struct Route: Sendable {
  /// The access control of a route.
  enum Access: Sendable {
    /// Open to all clients: it discloses and changes nothing.
    case open
    /// Requires a token, or admission by the permissions of the socket.
    case granted
    /// Requires a signed body.
    case signed
  }

  /// The body of a request or a response.
  struct Body: Sendable {
    let type: String
    let doc: String
  }

  struct Answer: Sendable {
    let status: Int
    let doc: String
    var type: String?
  }

  let methods: [String]
  /// The path, with `{…}` in place of a variable segment.
  let path: String
  /// The effect, in one sentence.
  let summary: String
  var access = Access.granted
  var parameters: [RouteParameter] = []
  var body: Body?
  let answers: [Answer]
  /// The codes of its problems, besides those of every route.
  var problems: [String] = []
  /// True if `{…}` at the end matches any number of segments.
  var matchesRest = false
  /// True if unknown parameters are ignored: those that mail programs and others append to the address of a page.
  var ignoresUnknown = false
  let run: @Sendable (RouteCall) throws(Problem) -> Void

  /// Returns the segment matched by `{…}`, empty if there is none; `nil` if the path does not match.
  func match(_ path: String) -> String? {
    if matchesRest {
      let stem = self.path.prefix { $0 != "{" }
      return path.hasPrefix(stem) ? String(path.dropFirst(stem.count)) : nil
    }
    let parts = self.path.split(separator: "/", omittingEmptySubsequences: false)
    let given = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == given.count else { return nil }
    var name = ""
    for (part, word) in zip(parts, given) {
      if part.hasPrefix("{") {
        if word.isEmpty { return nil }
        name = String(word)
      } else if !part.utf8.elementsEqual(word.utf8) {
        return nil
      }
    }
    return name
  }
}
