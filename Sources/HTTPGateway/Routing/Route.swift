/// A way in: where it is, what it takes, what it answers, and what it does.
///
/// Requests are matched by it, and the description at `/openapi.json` is made of it.
struct Route: Sendable {
  /// Who may ask.
  enum Access: Sendable {
    /// Anybody: there is nothing to learn or to change.
    case everybody
    /// Those with a token, or those whom the socket's permissions have let in.
    case granted
    /// Those who have signed what they send.
    case signed
  }

  /// The thing that a request or an answer carries.
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
  /// The path, with `{…}` in place of a part that may be anything.
  let path: String
  /// Its effect, in one sentence.
  let summary: String
  var access = Access.granted
  var parameters: [RouteParameter] = []
  var body: Body?
  let answers: [Answer]
  /// The codes of the problems that it answers with, besides those that every route has.
  var problems: [String] = []
  let run: @Sendable (RouteCall) throws(Problem) -> Void

  /// The part of a path that stands for `{…}`, an empty one where there is none; `nil` if the path is another.
  func match(_ path: String) -> String? {
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
