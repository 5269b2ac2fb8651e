package import GraphModel
package import JSON

/// An explanation as text: one line per cause, newest first.
package struct ExplanationText {
  private let origin: (Int) -> EntryOrigin?
  private let time: (Explanation.Node) -> RecordedTime
  private(set) package var lines: [MarkedText] = []

  /// The maximum number of read values listed per operator.
  private static let mostReads = 10
  /// The maximum number of needed entries listed.
  private static let mostNeeded = 20

  /// - Parameters:
  ///   - origin: Returns the origin of an entry.
  ///   - time: Formats a node's time.
  package init(
    _ explanation: Explanation, origin: @escaping (Int) -> EntryOrigin?,
    time: @escaping (Explanation.Node) -> RecordedTime
  ) {
    (self.origin, self.time) = (origin, time)
    add(explanation.value, indent: 0, isFirst: true)
  }

  /// Returns the needed entries, oldest first, one per line.
  package static func neededLines(
    _ explanation: Explanation, origin: (Int) -> EntryOrigin?, time: (Int64) -> RecordedTime
  ) -> [MarkedText] {
    let lines = explanation.needed.prefix(mostNeeded).compactMap(origin).map { origin in
      MarkedText("  \(origin.text)\(origin.value.map { ": \($0.shown)" } ?? "")")
        + MarkedText(origin.microseconds.map { " at \(time($0))" } ?? "", .aside)
    }
    let rest = explanation.needed.count - mostNeeded
    return lines + (rest > 0 ? [MarkedText("  and \(rest) more", .aside)] : [])
  }

  private mutating func add(_ node: Explanation.Node, indent: Int, isFirst: Bool = false) {
    var (node, passing) = (node, [String]())
    // Operators that only forward share one line with the next one that does not; forwarding sources are omitted.
    while !isFirst, let cause = node.onlyPassedOn, case .step(let name) = node.subject {
      if !["from", "input", "property", "merge"].contains(name) { passing.append(name) }
      node = cause
    }
    if !passing.isEmpty { add(MarkedText("passed on by \(passing.joined(separator: ", "))", .aside), indent, "← ") }
    add(line(node), indent, isFirst ? "" : "← ")
    for read in node.read.prefix(Self.mostReads) { add(read, indent + 2) }
    if node.read.count > Self.mostReads {
      add(MarkedText("and \(node.read.count - Self.mostReads) more", .aside), indent + 2, "· ")
    }
    // A chain stays in its column; several causes are indented.
    let isChain = node.given.count == 1
    for cause in node.given { add(cause, indent: isChain ? indent : indent + 2) }
  }

  private mutating func add(_ text: MarkedText, _ indent: Int, _ sign: String) {
    lines.append(MarkedText(String(repeating: " ", count: indent) + sign) + text)
  }

  private mutating func add(_ read: Explanation.Read, _ indent: Int) {
    let word =
      switch read.role {
      case .remembered: "remembered"
      case .chosen: "chosen by"
      case .called: "called for"
      }
    var text = MarkedText("\(word) \(read.value.shown)")
    if let origin = read.origin, origin.subject.isKnown {
      // A count or a state accompanies an event and is not its value.
      let link = origin.event?.value == read.value ? "" : "with "
      text = text + MarkedText(", \(link)\(name(origin)) at \(time(origin))", .aside)
    }
    add(text, indent, "· ")
    guard let origin = read.origin else { return }
    for cause in origin.given { add(cause, indent: indent + 2) }
    for earlier in origin.read { add(earlier, indent + 2) }
  }

  /// Returns the short name of a value's origin.
  private func name(_ node: Explanation.Node) -> String {
    switch node.subject {
    case .signal: "\(node.signal)\(node.event?.sequence.map { " \($0)" } ?? "")"
    case .step(let name): name
    case .entry(let entry): origin(entry)?.text ?? ""
    case .timer: "timer"
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
    case .timer: text = MarkedText("timer fired") + MarkedText(" at \(time(node))", .aside)
    case .sent: text = MarkedText("sent to \(node.signal) by a pipe")
    case .unknown: text = MarkedText("from before the recorded history", .aside)
    }
    if node.isRepeated { text = text + MarkedText(", as above", .aside) }
    if node.isShortened { text = text + MarkedText(", and so on", .aside) }
    return text
  }
}

extension Explanation.Node {
  /// The cause of a source or an operator that only forwarded it.
  fileprivate var onlyPassedOn: Explanation.Node? {
    guard case .step = subject, read.isEmpty, !isRepeated, !isCut, !isShortened, given.count == 1, let event else {
      return nil
    }
    switch given[0].subject {
    case .entry, .sent: return isInlet ? given[0] : nil
    case .signal, .step, .timer, .unknown: break
    }
    return given[0].event?.isSame(as: event) == true ? given[0] : nil
  }

  /// True for a source that emits the values sent to it unchanged.
  private var isInlet: Bool {
    if case .step(let name) = subject { ["input", "property"].contains(name) } else { false }
  }
}

extension Explanation.Node.Subject {
  var isKnown: Bool { if case .unknown = self { false } else { true } }
}

extension SignalEvent {
  package var value: JSONValue? { if case .next(let payload, _) = self { payload.value } else { nil } }
  var sequence: UInt64? { if case .next(_, let sequence) = self { sequence } else { nil } }

  /// The event as text, truncated.
  var shown: String {
    switch self {
    case .next(let payload, _): payload.value.shown
    case .ended(let ending): ending.story
    }
  }
}
