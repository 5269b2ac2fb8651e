package import JSON

/// A request for the list of signals.
package struct ListRequest: WireRequest {
  package static let op = "list"
  package static let summary = "List the visible signals."
  package static let fields: [RequestField<Self>] = [
    .optional("pattern", \.pattern, "only matching signals, such as climate.*")
  ]
  package static let shorthand: [ShorthandField] = [.word("pattern")]

  package var pattern: SignalPattern?

  package init() {}
}

/// The kind of a signal in replies.
package enum ListedKind: String, Sendable {
  case input
  case property
  case derived
  case source
  case action
}

/// A signal in the list for a client.
package struct ListedSignal: Sendable {
  package let signal: String
  package let kind: ListedKind
  package let canSend: Bool
  package let canSubscribe: Bool
  /// True if it has a value for new subscribers.
  package let isHeld: Bool
  package let end: SignalEnd?
  package let doc: String?
  /// The unit of its values, for display.
  package let unit: String?
  /// The number of decimals for display.
  package let precision: Int?
  /// The attention that its values demand: `level`, `when` if it is given, and `active` for the held value.
  package let severity: JSONObject?
  /// The connection that it needs, while that is away.
  package let away: JSONObject?
  /// The values waiting in its calls of actions.
  package let calls: JSONObject?
  /// The failure of its source, until that works again.
  package let failure: JSONObject?
  /// The last value that an expression of it refused, until it emits another one.
  package let refusal: JSONObject?
  /// The full queues that its senders or its source wait for.
  package let pauses: [JSONObject]

  package init(
    signal: String, kind: ListedKind, canSend: Bool, canSubscribe: Bool, isHeld: Bool, end: SignalEnd? = nil,
    doc: String?, unit: String? = nil, precision: Int? = nil, severity: JSONObject? = nil, away: JSONObject? = nil,
    calls: JSONObject? = nil, failure: JSONObject? = nil, refusal: JSONObject? = nil, pauses: [JSONObject] = []
  ) {
    self.away = away
    self.calls = calls
    self.failure = failure
    self.refusal = refusal
    self.pauses = pauses
    self.signal = signal
    self.kind = kind
    self.canSend = canSend
    self.canSubscribe = canSubscribe
    self.isHeld = isHeld
    self.end = end
    self.doc = doc
    self.unit = unit
    self.precision = precision
    self.severity = severity
  }

  var value: JSONValue {
    var object: JSONObject = [
      "signal": .string(signal), "kind": .string(kind.rawValue), "send": .bool(canSend),
      "subscribe": .bool(canSubscribe), "held": .bool(isHeld),
    ]
    if let end { object["ended"] = end.value }
    if let away { object["away"] = .object(away) }
    if let calls { object["calls"] = .object(calls) }
    if let failure { object["failure"] = .object(failure) }
    if let refusal { object["refused"] = .object(refusal) }
    if !pauses.isEmpty { object["paused_by"] = .array(pauses.map { .object($0) }) }
    if let unit { object["unit"] = .string(unit) }
    if let precision { object["precision"] = .number(Double(precision)) }
    if let severity { object["severity"] = .object(severity) }
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
