package import JSON

/// The encoder of one signal's values for one subscription.
///
/// All but the sequence number and the value is encoded once, so that an event costs two copies and some digits.
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
    if case .raw(let raw) = value {
      return append(seq: seq, byteCount: raw.count, at: time, to: &bytes) { raw.copy(to: $0) }
    }
    appendLine(to: &bytes) { line in
      line.json.write(text: prefix)
      line.json.write(seq)
      line.json.write(literal: ",\"value\":")
      line.json.write(value)
      if let time { line.member("at", time) }
    }
  }

  /// Appends the line of a value as the text that its sender wrote, the usual case.
  package func append(seq: UInt64, text: Span<UInt8>, at time: Timestamp? = nil, to bytes: inout [UInt8]) {
    append(seq: seq, byteCount: text.count, at: time, to: &bytes) { address in
      text.withUnsafeBytes { bytes in
        if let start = bytes.baseAddress { address.copyMemory(from: start, byteCount: bytes.count) }
      }
    }
  }

  /// Appends the line of a value that `copy` writes to an address.
  ///
  /// The capacity is reserved once, then bytes are copied.
  @inline(__always)
  private func append(
    seq: UInt64, byteCount: Int, at time: Timestamp?, to bytes: inout [UInt8],
    _ copy: (UnsafeMutableRawPointer) -> Void
  ) {
    let prefix = prefix.span
    let room = prefix.count + 20 + Self.infix.utf8CodeUnitCount + byteCount + 2
    bytes.append(addingCapacity: room) { span in
      span.withUnsafeMutableBufferPointer { buffer, count in
        guard let base = buffer.baseAddress else { return }
        var end = UnsafeMutableRawPointer(base + count)
        prefix.withUnsafeBytes { end.put($0) }
        end.put(digitsOf: seq)
        end.put(Self.infix)
        copy(end)
        end += byteCount
        if time == nil { end.put("}\n") }
        count = end - UnsafeMutableRawPointer(base)
      }
    }
    if let time { appendLine(to: &bytes) { line in line.member("at", time) } }
  }

  private static var infix: StaticString { ",\"value\":" }
}

extension UnsafeMutableRawPointer {
  /// Copies bytes to this address and advances beyond them.
  @inline(__always)
  fileprivate mutating func put(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    copyMemory(from: base, byteCount: bytes.count)
    self += bytes.count
  }

  @inline(__always)
  fileprivate mutating func put(_ text: StaticString) {
    copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
    self += text.utf8CodeUnitCount
  }

  /// Writes a number from its last digit to its first.
  @inline(__always)
  fileprivate mutating func put(digitsOf number: UInt64) {
    var length = 1
    var limit: UInt64 = 10
    while length < 20, number >= limit {
      length += 1
      limit &*= 10
    }
    var rest = number
    for place in stride(from: length - 1, through: 0, by: -1) {
      storeBytes(of: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10), toByteOffset: place, as: UInt8.self)
      rest /= 10
    }
    self += length
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
