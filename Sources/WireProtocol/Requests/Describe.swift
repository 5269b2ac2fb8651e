package import JSON

/// A request for the declaration and the state of a signal, or of each signal of a graph.
package struct DescribeRequest: WireRequest {
  package static let op = "describe"
  package static let summary = "Show the declaration and state of a signal, or of all signals of a graph."
  package static let fields: [RequestField<Self>] = [
    .optional("signal", \.signal, "the signal"),
    .optional("graph", \.graph, "the graph"),
    .optional("place", \.place, "include the place of the declaration"),
    .optional("text", \.text, "include the declaration as it was written, with its comments"),
  ]
  package static let shorthand: [ShorthandField] = [.signalOrGraph]

  package var signal: String?
  package var graph: String?
  package var place: Bool?
  package var text: Bool?

  package init() {}

  package func check() throws(WireError) { try requireOne(of: ("signal", signal != nil), ("graph", graph != nil)) }
}

package struct SignalDescription: Sendable {
  package let signal: String
  package let kind: ListedKind
  /// The declaration as written in the configuration, without expansion.
  package let declaration: JSONValue
  package let upstream: [String]
  package let downstream: [String]
  /// The counts, only for clients that may subscribe.
  package let counts: Counts?
  package let end: SignalEnd?
  /// The position of the declaration: `file:line:column`.
  package let place: String?
  /// The declaration as it was written.
  package let text: String?
  /// The connection of its source or its action, with its state.
  package let connection: JSONObject?
  /// The values waiting in its calls of actions.
  package let calls: [JSONObject]
  /// The failure of its source, until that works again.
  package let failure: JSONObject?
  /// The last value that an expression of it refused.
  package let refusal: JSONObject?
  /// The full queues that its senders or its source wait for.
  package let pauses: [JSONObject]

  package struct Counts: Sendable {
    package let seq: UInt64
    package let subscribers: Int
    package let errors: UInt64
    package let dropped: UInt64
    /// The time of the last value.
    package let time: Timestamp?

    package init(seq: UInt64, subscribers: Int, errors: UInt64, dropped: UInt64, time: Timestamp? = nil) {
      self.seq = seq
      self.subscribers = subscribers
      self.errors = errors
      self.dropped = dropped
      self.time = time
    }
  }

  package init(
    signal: String, kind: ListedKind, declaration: JSONValue, upstream: [String], downstream: [String],
    counts: Counts?, end: SignalEnd? = nil, place: String? = nil, text: String? = nil, connection: JSONObject? = nil,
    calls: [JSONObject] = [], failure: JSONObject? = nil, refusal: JSONObject? = nil, pauses: [JSONObject] = []
  ) {
    self.connection = connection
    self.calls = calls
    self.failure = failure
    self.refusal = refusal
    self.pauses = pauses
    self.signal = signal
    self.kind = kind
    self.declaration = declaration
    self.upstream = upstream
    self.downstream = downstream
    self.counts = counts
    self.end = end
    self.place = place
    self.text = text
  }

  var members: JSONObject {
    var members: JSONObject = [
      "signal": .string(signal), "kind": .string(kind.rawValue), "declaration": declaration,
      "upstream": .array(upstream.map { .string($0) }), "downstream": .array(downstream.map { .string($0) }),
    ]
    if let counts {
      members["seq"] = .number(Double(counts.seq))
      members["subscribers"] = .number(Double(counts.subscribers))
      members["errors"] = .number(Double(counts.errors))
      members["dropped"] = .number(Double(counts.dropped))
      if let time = counts.time { members["at"] = .string(time.text) }
    }
    if let end { members["ended"] = end.value }
    if let connection { members["connection"] = .object(connection) }
    if let failure { members["failure"] = .object(failure) }
    if let refusal { members["refused"] = .object(refusal) }
    if !pauses.isEmpty { members["paused_by"] = .array(pauses.map { .object($0) }) }
    if !calls.isEmpty { members["calls"] = .array(calls.map { .object($0) }) }
    if let place { members["place"] = .string(place) }
    if let text { members["text"] = .string(text) }
    return members
  }
}

package enum DescribeReply: Reply {
  package static let op: StaticString = "describe"

  case signal(SignalDescription)
  case graph(String, [SignalDescription])

  package func writeMembers(to line: inout LineWriter) {
    switch self {
    case .signal(let description): line.members(description.members)
    case .graph(let name, let descriptions):
      line.member("graph", name)
      line.member("signals", .array(descriptions.map { .object($0.members) }))
    }
  }
}
