import SignalboxClient

extension JSONValue {
  var members: [String: JSONValue] { if case .object(let members) = self { members } else { [:] } }
  var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
  var isTrue: Bool { self == .bool(true) }

  var integer: Int? { if case .integer(let number) = self { Int(number) } else { nil } }
  var double: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }

  /// A duration in the protocol's notation.
  var duration: Duration? {
    guard let text else { return nil }
    let units: [(name: String, length: Duration)] = [
      ("us", .microseconds(1)), ("ms", .milliseconds(1)), ("s", .seconds(1)), ("m", .seconds(60)),
    ]
    for unit in units where text.hasSuffix(unit.name) {
      if let number = Double(text.dropLast(unit.name.count)) { return unit.length * number }
    }
    return nil
  }
}

extension SubscriptionOptions {
  init(_ fields: [String: JSONValue]) {
    self.init()
    replay = fields["replay"]?.integer
    take = fields["take"]?.integer
    `where` = fields["where"]?.text
    every = fields["every"]?.duration
    heartbeat = fields["heartbeat"]?.duration
    overflow = fields["overflow"]?.text.flatMap(Overflow.init)
    timestamps = fields["timestamps"]?.isTrue ?? false
    position = (fields["position"]?.members ?? [:]).mapValues {
      Place(seq: $0.members["seq"]?.integer ?? 0, epoch: $0.members["epoch"]?.text ?? "")
    }
  }
}

extension SubscriptionEvent<JSONValue> {
  /// Returns the event as a driver's line.
  func line(as name: String) -> [String: JSONValue] {
    var line: [String: JSONValue] = ["as": .string(name), "signal": .string(signal)]
    func number(_ number: Int) -> JSONValue { .integer(Int64(number)) }
    switch kind {
    case .next(let value, let seq, _, let at):
      line["event"] = "next"
      line["seq"] = number(seq)
      line["value"] = value
      line["at"] = at.map { .string($0) }
    case .completed: line["event"] = "completed"
    case .failed(let error):
      line["event"] = "failed"
      line["error"] = .object(error.details)
    case .interrupted(let reason):
      line["event"] = "interrupted"
      line["reason"] = reason.map { .string($0) }
    case .lagged(let dropped):
      line["event"] = "lagged"
      line["dropped"] = number(dropped)
    case .expired(let after, let oldest):
      line["event"] = "expired"
      line["from"] = number(after)
      line["oldest"] = number(oldest)
    case .restarted(let epoch):
      line["event"] = "restarted"
      line["epoch"] = .string(epoch)
    case .renewed(let epoch):
      line["event"] = "renewed"
      line["epoch"] = .string(epoch)
    case .subscribed(let seq, _):
      line["event"] = "subscribed"
      line["seq"] = number(seq)
    case .alive(let seq):
      line["event"] = "alive"
      line["seq"] = number(seq)
    case .ended(let reason):
      line["event"] = "ended"
      line["reason"] = reason.map { .string($0) }
    }
    return line
  }
}
