import JSON

/// An explanation for people: one line for each thing, newest first.
package struct ExplanationText {
  private let origin: (Int) -> EntryOrigin?
  private let time: (Explanation.Node) -> RecordedTime
  private(set) package var lines: [MarkedText] = []

  /// How many values that were read are written out for each operator.
  private static let mostReads = 10

  /// - Parameters:
  ///   - origin: What an entry was.
  ///   - time: How moments are written.
  package init(
    _ explanation: Explanation, origin: @escaping (Int) -> EntryOrigin?,
    time: @escaping (Explanation.Node) -> RecordedTime
  ) {
    (self.origin, self.time) = (origin, time)
    add(explanation.value, indent: 0, isFirst: true)
  }

  private mutating func add(_ node: Explanation.Node, indent: Int, isFirst: Bool = false) {
    add(line(node), indent, isFirst ? "" : "← ")
    for read in node.read.prefix(Self.mostReads) { add(read, indent + 2) }
    if node.read.count > Self.mostReads {
      add(MarkedText("and \(node.read.count - Self.mostReads) more", .aside), indent + 2, "· ")
    }
    // A chain stays in its column; where several things meet, each has a column of its own.
    let isChain = node.given.count == 1
    for cause in node.given { add(cause, indent: isChain ? indent : indent + 2) }
  }

  private mutating func add(_ text: MarkedText, _ indent: Int, _ sign: String) {
    lines.append(MarkedText(String(repeating: " ", count: indent) + sign) + text)
  }

  private mutating func add(_ read: Explanation.Read, _ indent: Int) {
    let word = read.role == .remembered ? "remembered" : "chosen by"
    var text = MarkedText("\(word) \(read.value.shown)")
    if let origin = read.origin, origin.subject.isKnown {
      text = text + MarkedText(", \(name(origin)) at \(time(origin))", .aside)
    }
    add(text, indent, "· ")
    guard let origin = read.origin else { return }
    for cause in origin.given { add(cause, indent: indent + 2) }
    for earlier in origin.read { add(earlier, indent + 2) }
  }

  /// The short name of where a value came from.
  private func name(_ node: Explanation.Node) -> String {
    switch node.subject {
    case .signal: "\(node.signal)\(node.event?.sequence.map { " \($0)" } ?? "")"
    case .step(let name): name
    case .entry(let entry): origin(entry)?.text ?? ""
    case .timer: "a timer"
    case .sent: "send_to"
    case .unknown: ""
    }
  }

  private func line(_ node: Explanation.Node) -> MarkedText {
    let value = node.event.map { ": \($0.shown)" } ?? ""
    var text: MarkedText
    switch node.subject {
    case .signal:
      text = MarkedText(name(node), .title) + MarkedText(value) + MarkedText(" at \(time(node))", .aside)
    case .step(let name):
      text = MarkedText(name) + MarkedText(value)
      if let place = node.place { text = text + MarkedText("  \(place)", .aside) }
    case .entry(let entry):
      text = MarkedText(origin(entry)?.text ?? "an entry") + MarkedText(" at \(time(node))", .aside)
    case .timer: text = MarkedText("a timer that was due") + MarkedText(" at \(time(node))", .aside)
    case .sent: text = MarkedText("sent to \(node.signal) by a pipe")
    case .unknown: text = MarkedText("from before all that is known here", .aside)
    }
    if node.isRepeated { text = text + MarkedText(", as told", .aside) }
    if node.isCut { text = text + MarkedText(", and more led to it", .aside) }
    return text
  }
}

extension Explanation.Node.Subject {
  var isKnown: Bool { if case .unknown = self { false } else { true } }
}

extension SignalEvent {
  var value: JSONValue? { if case .next(let payload, _) = self { payload.value } else { nil } }
  var sequence: UInt64? { if case .next(_, let sequence) = self { sequence } else { nil } }

  /// For people, cut off where it is long.
  var shown: String {
    switch self {
    case .next(let payload, _): payload.value.shown
    case .ended(let ending): ending.story
    }
  }
}
