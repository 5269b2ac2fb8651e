package import GraphModel
package import JSON

/// An explanation as JSON.
package struct ExplanationObject {
  private let origin: (Int) -> EntryOrigin?
  private let time: (Explanation.Node) -> RecordedTime

  package init(origin: @escaping (Int) -> EntryOrigin?, time: @escaping (Explanation.Node) -> RecordedTime) {
    (self.origin, self.time) = (origin, time)
  }

  package func object(of explanation: Explanation) -> JSONObject {
    JSONObject([
      ("why", object(of: explanation.value)), ("entries", .number(Double(explanation.entries))),
      (
        "needed",
        .array(
          explanation.needed.map {
            .object(JSONObject([("number", .number(Double($0)))] + (origin($0)?.detailedMembers ?? [])))
          })
      ),
    ])
  }

  private func object(of node: Explanation.Node) -> JSONValue {
    var members: [(String, JSONValue)] = []
    switch node.subject {
    case .signal: members = [("kind", "signal"), ("signal", .string(node.signal))]
    case .step(let name): members = [("kind", "step"), ("step", .string(name)), ("signal", .string(node.signal))]
    case .entry(let entry): members = [("kind", "entry")] + (origin(entry)?.members ?? [])
    case .timer: members = [("kind", "timer"), ("signal", .string(node.signal))]
    case .sent: members = [("kind", "sent"), ("signal", .string(node.signal))]
    case .unknown: members = [("kind", "unknown"), ("signal", .string(node.signal))]
    }
    if let place = node.place { members.append(("place", .string("\(place)"))) }
    switch node.event {
    case .next(let payload, let sequence)?:
      if sequence > 0 { members.append(("seq", .number(Double(sequence)))) }
      members.append(("value", payload.value))
    case .ended(let ending)?:
      members.append(("event", .string(ending.event)))
      if case .failed(let failure) = ending { members.append(("error", failure.value)) }
    case nil: break
    }
    if node.subject.isKnown { members.append(("at", .string("\(time(node))"))) }
    if node.isRepeated { members.append(("repeated", true)) }
    if node.isCut || node.isShortened { members.append(("cut", true)) }
    if !node.given.isEmpty { members.append(("given", .array(node.given.map(object)))) }
    if !node.read.isEmpty { members.append(("read", .array(node.read.map(object)))) }
    return .object(JSONObject(members))
  }

  private func object(of read: Explanation.Read) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("role", .string("\(read.role)")), ("value", read.value),
    ]
    if let origin = read.origin { members.append(("origin", object(of: origin))) }
    return .object(JSONObject(members))
  }
}
