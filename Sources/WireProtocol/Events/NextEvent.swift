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
    if time == nil, case .raw(let raw) = value { return append(seq: seq, raw: raw.bytes, to: &bytes) }
    appendLine(to: &bytes) { line in
      line.json.write(text: prefix)
      line.json.write(seq)
      line.json.write(literal: ",\"value\":")
      line.json.write(value)
      if let time { line.member("at", time) }
    }
  }

  /// The line of a value that only passes through, which most are: room is made once, and then bytes are copied.
  private func append(seq: UInt64, raw: [UInt8], to bytes: inout [UInt8]) {
    let capacity = prefix.count + 20 + Self.infix.utf8CodeUnitCount + raw.count + 2
    bytes.append(addingCapacity: capacity) { span in
      span.withUnsafeMutableBufferPointer { buffer, count in
        var rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
        rest.take(prefix)
        rest.take(digitsOf: seq)
        rest.take(Self.infix)
        rest.take(raw)
        rest.take("}\n")
        count = buffer.count - rest.count
      }
    }
  }

  private static let infix: StaticString = ",\"value\":"
}

extension UnsafeMutableRawBufferPointer {
  /// Copies bytes to the beginning and steps behind them.
  fileprivate mutating func take(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { take($0) }
  }

  fileprivate mutating func take(_ text: StaticString) {
    take(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  fileprivate mutating func take(digitsOf number: UInt64) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var start = 20
      var rest = number
      repeat {
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      take(UnsafeRawBufferPointer(UnsafeMutableBufferPointer(rebasing: digits[start...])))
    }
  }

  private mutating func take(_ source: UnsafeRawBufferPointer) {
    copyMemory(from: source)
    self = UnsafeMutableRawBufferPointer(rebasing: self[source.count...])
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
