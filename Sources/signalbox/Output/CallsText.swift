internal import GraphModel
internal import JSON
internal import WireProtocol

/// The calls of a signal: the number of waiting values, and the last failure.
struct CallsText {
  let figures: JSONObject

  private var waiting: Int { if case .number(let count)? = figures["waiting"]?.plain { Int(count) } else { 0 } }

  private var error: JSONObject? { if case .object(let error)? = figures["error"] { error } else { nil } }

  /// The text for a column: `3 waiting, exit_status`.
  var short: MarkedText {
    let waits = waiting > 0 ? MarkedText("\(waiting) waiting", .warning) : nil
    let fails = error.map { MarkedText("call failed: \($0.text("code"))", .error) }
    switch (waits, fails) {
    case (let waits?, let fails?): return waits + ", " + fails
    default: return waits ?? fails ?? "-"
    }
  }

  /// The line of a description, with the ages.
  var line: MarkedText {
    var line = MarkedText("calls of \(figures.text("action")): ") + MarkedText("\(waiting) waiting")
    if waiting > 0, let age = figures["age"]?.seconds {
      line = line + MarkedText(", the oldest for \(Figures.span(age))", .warning)
    }
    guard let error else { return line }
    let age = error["age"]?.seconds.map { " \(Figures.span($0)) ago" } ?? ""
    return line + MarkedText("; last failure\(age): ")
      + MarkedText("\(error.text("code")): \(error.text("message"))", .error)
  }
}

extension JSONValue {
  fileprivate var seconds: Double? { if case .number(let number) = plain { number } else { nil } }
}
