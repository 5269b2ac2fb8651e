package import GraphModel
import JSON
package import Linux

extension JSONValue {
  /// Converts a value from a bus to JSON.
  ///
  /// - Throws: `bad_value` for a value that has no JSON form.
  package init(_ value: BusValue, bytes: BusBytes) throws(SignalFailure) {
    switch value {
    case .bool(let isTrue): self = .bool(isTrue)
    case .integer(let number): self = .integer(number)
    case .unsigned(let number): self = .verbatim(Verbatim(.number(Double(number)), text: String(number)))
    case .double(let number):
      guard number.isFinite else { throw SignalFailure(noValue: "\(number) has no JSON representation") }
      self = .number(number)
    case .string(let text): self = .string(text)
    case .bytes(let content): self = try Self.bytes(content, as: bytes)
    case .list(let elements):
      var list: [JSONValue] = []
      list.reserveCapacity(elements.count)
      for element in elements { list.append(try JSONValue(element, bytes: bytes)) }
      self = .array(list)
    case .dictionary(let members):
      var list: [(String, JSONValue)] = []
      list.reserveCapacity(members.count)
      for member in members { list.append((member.key, try JSONValue(member.value, bytes: bytes))) }
      self = .object(JSONObject(list))
    case .variant(_, let value): try self.init(value, bytes: bytes)
    }
  }

  /// A double is inexact beyond 2⁵³: such a number keeps its digits as text.
  private static func integer(_ number: Int64) -> JSONValue {
    number.magnitude <= 1 << 53
      ? .number(Double(number)) : .verbatim(Verbatim(.number(Double(number)), text: String(number)))
  }

  private static func bytes(_ content: [UInt8], as form: BusBytes) throws(SignalFailure) -> JSONValue {
    switch form {
    case .numbers: return .array(content.map { .number(Double($0)) })
    case .text:
      // File paths on the bus end with a NUL, as in C.
      let text = content.last == 0 ? content.dropLast() : content[...]
      guard let text = String(validating: text, as: UTF8.self) else {
        throw SignalFailure(noValue: "invalid UTF-8")
      }
      return .string(text)
    }
  }
}

extension SignalFailure {
  /// Creates the failure for something on a bus that cannot be converted to a value.
  init(noValue reason: String) { self.init(code: "bad_value", message: reason) }

  /// Creates the failure for an error from a service or the bus.
  init(_ error: BusError) {
    self.init(code: error.isMissingOwner ? "gone" : "bus", message: "\(error)")
  }

  /// The failure while the bus is unavailable.
  static func away(_ choice: BusChoice) -> SignalFailure {
    SignalFailure(code: "gone", message: "not connected to the \(choice.name)")
  }
}
