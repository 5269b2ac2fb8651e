internal import JSON

/// The fast path for the most frequent line: `send` with a signal and a value, perhaps an id, and nothing else.
///
/// An unusual line, and any invalid one, is left to the declaration. It holds positions in the line, so that a value is
/// copied once on its way through the daemon and a name never.
package struct SendLine {
  /// The signal's name, without its quotes.
  package let signal: Range<Int>
  /// The value, as its sender wrote it.
  package let value: Range<Int>
  private let id: Range<Int>?
  /// True if the parser has outlined the value.
  let isOutlined: Bool

  init(_ form: SendForm) {
    isOutlined = true
    signal = form.signal
    value = form.value
    id = nil
  }

  init?(_ line: Span<UInt8>, _ members: [JSONMember]) {
    var signal: Range<Int>?
    var value: Range<Int>?
    var id: Range<Int>?
    var isSend = false
    for member in members {
      if line.equals(member.key, "op") && !isSend {
        guard line.equals(member.value, "\"send\"") else { return nil }
        isSend = true
      } else if line.equals(member.key, "signal") && signal == nil {
        guard line.isPlainString(member.value) else { return nil }
        signal = (member.value.lowerBound + 1)..<(member.value.upperBound - 1)
      } else if line.equals(member.key, "value") && value == nil {
        value = member.value
      } else if line.equals(member.key, "id") && id == nil && RequestID.isPossible(line[member.value.lowerBound]) {
        id = member.value
      } else {
        return nil
      }
    }
    guard isSend, let signal, let value else { return nil }
    isOutlined = false
    self.signal = signal
    self.value = value
    self.id = id
  }

  package func requestID(in line: Span<UInt8>) -> RequestID? { id.map { RequestID(validated: line.bytes($0)) } }

  func requestLine(of line: Span<UInt8>) -> RequestLine {
    RequestLine(
      id: requestID(in: line),
      request: SendRequest(signal: line.string(signal), value: .raw(RawJSON(validated: line.extracting(value)))))
  }
}

extension RequestID {
  /// Indicates that a value with this first byte can be an id.
  static func isPossible(_ first: UInt8) -> Bool {
    first == UInt8(ascii: "\"") || first == UInt8(ascii: "-") || 0x30...0x39 ~= first
  }
}
