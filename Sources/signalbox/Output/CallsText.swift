internal import GraphModel
internal import JSON
internal import WireProtocol

/// The calls of a signal: the number of waiting values, and the last failure.
struct CallsText {
  let figures: JSONObject

  private var waiting: Int { if case .number(let count)? = figures["waiting"]?.plain { Int(count) } else { 0 } }

  private var error: FailureText? {
    if case .object(let error)? = figures["error"] { FailureText(figures: error) } else { nil }
  }

  /// The text for a column: `3 waiting for 5m, call failed 2s ago: http`.
  var short: MarkedText {
    let age = figures["age"]?.seconds.map { " for \(Figures.span($0))" } ?? ""
    let waits = waiting > 0 ? MarkedText("\(waiting) waiting\(age)", .warning) : nil
    let fails = error?.short(isPublication ? "publish" : "call")
    switch (waits, fails) {
    case (let waits?, let fails?): return waits + ", " + fails
    default: return waits ?? fails ?? "-"
    }
  }

  /// True if what failed, or all that waits, is a message for a connection.
  private var isPublication: Bool {
    if case .object(let error)? = figures["error"] { return error["connection"] != nil }
    return figures["connection"] != nil
  }

  /// The line of a description, with the ages.
  var line: MarkedText {
    let connection = figures.text("connection")
    let action = figures.text("action")
    let calls = action.isEmpty ? "calls" : "calls of \(action)"
    let what = connection.isEmpty ? calls : "messages for \(connection)"
    var line = MarkedText("\(what): ") + MarkedText("\(waiting) waiting")
    if waiting > 0, let age = figures["age"]?.seconds {
      line = line + MarkedText(", the oldest for \(Figures.span(age))", .warning)
    }
    return error.map { line + "; " + $0.line } ?? line
  }
}

extension JSONValue {
  var seconds: Double? { if case .number(let number) = plain { number } else { nil } }
}
