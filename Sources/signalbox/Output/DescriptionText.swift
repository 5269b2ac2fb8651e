internal import JSON
internal import SignalGraph
internal import WireProtocol

/// The answer of `describe` about one signal, as a person reads it.
struct DescriptionText {
  let description: JSONObject

  private static let counts = ["seq", "subscribers", "errors", "dropped"]

  /// The name and the kind, then what it is, how it came about, and how it fares.
  var lines: [MarkedText] {
    let head = MarkedText(description.text("signal"), .title) + MarkedText("  \(description.text("kind"))", .aside)
    let rest =
      ending + place + declaration + neighbours("upstream") + neighbours("downstream") + [fare].compactMap(\.self)
    return [head] + rest.map { "  " + $0 }
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

  /// Names that stand in a row.
  private func neighbours(_ key: String) -> [MarkedText] {
    guard case .array(let names)? = description[key]?.plain, !names.isEmpty else { return [] }
    let texts = names.map { name in if case .string(let text) = name.plain { text } else { name.description } }
    return [MarkedText("\(key): \(texts.joined(separator: ", "))")]
  }

  /// The counts; those that should not grow stand out.
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
