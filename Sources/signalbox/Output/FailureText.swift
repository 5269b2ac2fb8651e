internal import GraphModel
internal import JSON
internal import WireProtocol

/// The last failure of calls or of a source.
struct FailureText {
  let figures: JSONObject

  private var age: String { figures["age"]?.seconds.map { " \(Figures.span($0)) ago" } ?? "" }

  /// Returns the text for a column: `call failed 2s ago: http`.
  func short(_ what: String) -> MarkedText { MarkedText("\(what) failed\(age): \(figures.text("code"))", .error) }

  /// The end of a line of a description.
  var line: MarkedText {
    MarkedText("last failure\(age): ") + MarkedText("\(figures.text("code")): \(figures.text("message"))", .error)
  }
}
