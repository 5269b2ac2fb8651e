internal import JSON

/// Asks for the list of signals.
package struct ListRequest: WireRequest {
  package static let op = "list"
  package static let summary = "Lists the signals that you may see."
  package static let fields: [RequestField<Self>] = [
    .optional("pattern", \.pattern, "only those that it covers, such as climate.*")
  ]
  package static let shorthand: [ShorthandField] = [.word("pattern")]

  package var pattern: SignalPattern?

  package init() {}
}

/// The word by which clients are told what stands at the head of a signal.
package enum ListedKind: String, Sendable {
  case input
  case property
  case derived
  case source
  case action
}

/// A signal as a client sees it.
package struct ListedSignal: Sendable {
  package let signal: String
  package let kind: ListedKind
  package let canSend: Bool
  package let canSubscribe: Bool
  /// Whether it has a value for new subscribers.
  package let isHeld: Bool
  package let end: SignalEnd?
  package let doc: String?

  package init(
    signal: String, kind: ListedKind, canSend: Bool, canSubscribe: Bool, isHeld: Bool, end: SignalEnd? = nil,
    doc: String?
  ) {
    self.signal = signal
    self.kind = kind
    self.canSend = canSend
    self.canSubscribe = canSubscribe
    self.isHeld = isHeld
    self.end = end
    self.doc = doc
  }

  var value: JSONValue {
    var object: JSONObject = [
      "signal": .string(signal), "kind": .string(kind.rawValue), "send": .bool(canSend),
      "subscribe": .bool(canSubscribe), "held": .bool(isHeld),
    ]
    if let end { object["ended"] = end.value }
    if let doc { object["doc"] = .string(doc) }
    return .object(object)
  }
}

package struct ListReply: Reply {
  package static let op: StaticString = "list"

  package let signals: [ListedSignal]

  package init(signals: [ListedSignal]) { self.signals = signals }

  package func writeMembers(to line: inout LineWriter) { line.member("signals", .array(signals.map(\.value))) }
}
