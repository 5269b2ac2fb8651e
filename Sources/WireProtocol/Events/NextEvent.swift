package import JSON

/// Writes the values of one signal as one subscription sees them.
///
/// All but the number and the value is written once, so that an event costs two copies and some digits.
package struct NextEvent: Sendable {
  private let prefix: [UInt8]

  package init(signal: String, subscription: String?) {
    var line = LineWriter(json: JSONWriter())
    line.begin(event: "next", subscription: subscription)
    line.member("signal", signal)
    line.json.write(literal: ",\"seq\":")
    prefix = line.json.bytes
  }

  /// Appends the line of a value.
  package func append(seq: UInt64, value: Payload, at time: Timestamp? = nil, to bytes: inout [UInt8]) {
    appendLine(to: &bytes) { line in
      line.json.write(text: prefix)
      line.json.write(seq)
      line.json.write(literal: ",\"value\":")
      line.json.write(value)
      if let time { line.member("at", time) }
    }
  }
}

extension LineWriter {
  /// Begins an event: `{"event":"next","subscription":"label"`.
  mutating func begin(event: StaticString, subscription: String?) {
    begin("event", event)
    if let subscription { member("subscription", subscription) }
  }

  mutating func member(_ key: StaticString, _ time: Timestamp) {
    self.key(key)
    time.write(to: &json)
  }
}
