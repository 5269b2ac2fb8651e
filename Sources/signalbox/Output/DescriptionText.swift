internal import GraphCatalogue
internal import GraphModel
internal import JSON
internal import WireProtocol

/// The readable form of a signal's description.
struct DescriptionText {
  let description: JSONObject
  /// The text of the value that the signal holds, if it holds one.
  let value: String?

  private static let counts = ["seq", "subscribers", "errors", "dropped"]

  /// The lines: name and kind, then the value, the ending, the declaration, the neighbours and the counts.
  var lines: [MarkedText] {
    let kind = MarkedText("  \(description.text("kind"))\(unit.map { ", in \($0)" } ?? "")", .aside)
    let head = MarkedText(description.text("signal"), .title) + kind
    let rest =
      held + ending + place + declaration + neighbours("upstream") + neighbours("downstream") + connection + pause
      + failure + refusal
      + calls + [fare].compactMap(\.self)
    return [head] + rest.map { "  " + $0 }
  }

  private var unit: String? {
    guard case .object(let declaration)? = description["declaration"] else { return nil }
    return SignalTraits.unitOfMeasurement(in: declaration)
  }

  private var held: [MarkedText] {
    guard let value else { return [] }
    return ["value: " + MarkedText(unit.map { "\(value) \($0)" } ?? value, .title)]
  }

  private var ending: [MarkedText] {
    guard case .object(let end)? = description["ended"] else { return [] }
    let error = if case .object(let error)? = end["error"] { error } else { JSONObject() }
    let what = [end.text("event"), error.text("code"), error.text("message")].filter { !$0.isEmpty }
    let mark: MarkedText.Mark = end.text("event") == "failed" ? .error : .warning
    return [MarkedText("\(what.joined(separator: ": ")), at \(end.text("at"))", mark)]
  }

  private var place: [MarkedText] {
    let place = description.text("place")
    return place.isEmpty ? [] : [MarkedText("at \(place)", .aside)]
  }

  private var declaration: [MarkedText] {
    guard let declaration = description["declaration"] else { return [] }
    return ["declaration:"] + YAMLText(declaration).lines.map { MarkedText("  " + $0) }
  }

  /// Returns a line of names.
  private func neighbours(_ key: String) -> [MarkedText] {
    guard case .array(let names)? = description[key]?.plain, !names.isEmpty else { return [] }
    let texts = names.map { name in if case .string(let text) = name.plain { text } else { name.description } }
    return [MarkedText("\(key): \(texts.joined(separator: ", "))")]
  }

  /// The connection of its source or its action, with its state.
  private var connection: [MarkedText] {
    guard case .object(let connection)? = description["connection"] else { return [] }
    let state = connection.text("state")
    let since = "\(state) since \(connection.text("since"))"
    let reason = connection.text("reason")
    return [
      MarkedText("connection: \(connection.text("connection")), ")
        + MarkedText(reason.isEmpty ? since : "\(since): \(reason)", state == "away" ? .warning : nil)
    ]
  }

  private var pause: [MarkedText] { PauseText(description: description).map { [$0.line] } ?? [] }

  /// The failure of its source.
  private var failure: [MarkedText] {
    guard case .object(let failure)? = description["failure"] else { return [] }
    return [FailureText(figures: failure).line]
  }

  /// The last value that an expression refused.
  private var refusal: [MarkedText] {
    guard case .object(let refusal)? = description["refused"] else { return [] }
    return [MarkedText("\(refusal.text("operator")): ") + FailureText(figures: refusal).line]
  }

  /// A line for each call of an action in the pipe, and for each connection that messages go over.
  private var calls: [MarkedText] {
    guard case .array(let calls)? = description["calls"] else { return [] }
    return calls.compactMap { if case .object(let figures) = $0 { CallsText(figures: figures).line } else { nil } }
  }

  /// The counts, with those highlighted that should not grow.
  private var fare: MarkedText? {
    let counted: [MarkedText] = Self.counts.compactMap { key in
      guard let count = description[key] else { return nil }
      let isTrouble = ["errors", "dropped"].contains(key) && count != 0
      return MarkedText("\(key) \(count.description)", isTrouble ? .warning : nil)
    }
    guard let first = counted.first else { return nil }
    let time = description["at"].map { _ in MarkedText(", last value at \(description.text("at"))") } ?? ""
    return counted.dropFirst().reduce(first) { $0 + ", " + $1 } + time
  }
}
