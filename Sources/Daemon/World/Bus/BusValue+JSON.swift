import JSON
import Linux
import SignalGraph

extension JSONValue {
  /// The JSON of a value from a bus.
  ///
  /// - Throws: `bad_value` for what JSON cannot say.
  init(_ value: BusValue, bytes: BusBytes) throws(SignalFailure) {
    switch value {
    case .bool(let isTrue): self = .bool(isTrue)
    case .integer(let number): self = .integer(number)
    case .unsigned(let number): self = .verbatim(Verbatim(.number(Double(number)), text: String(number)))
    case .double(let number):
      guard number.isFinite else { throw SignalFailure(noValue: "it is \(number), which is no number in JSON") }
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

  /// A double comes only near to what is further from zero than 2⁵³: such a number keeps its digits as text.
  private static func integer(_ number: Int64) -> JSONValue {
    number.magnitude <= 1 << 53
      ? .number(Double(number)) : .verbatim(Verbatim(.number(Double(number)), text: String(number)))
  }

  private static func bytes(_ content: [UInt8], as form: BusBytes) throws(SignalFailure) -> JSONValue {
    switch form {
    case .numbers: return .array(content.map { .number(Double($0)) })
    case .text:
      // Paths of files end with a zero, as they do in C.
      let text = content.last == 0 ? content.dropLast() : content[...]
      guard let text = String(validating: text, as: UTF8.self) else {
        throw SignalFailure(noValue: "its bytes are not UTF-8")
      }
      return .string(text)
    }
  }
}

extension SignalFailure {
  /// Something on a bus makes no value.
  init(noValue reason: String) { self.init(code: "bad_value", message: reason) }

  /// An error that a service or the bus has answered.
  init(_ error: BusError) {
    self.init(code: error.isMissingOwner ? "gone" : "bus", message: "\(error)")
  }

  /// The bus is away.
  static func away(_ choice: BusChoice) -> SignalFailure {
    SignalFailure(code: "gone", message: "the \(choice.name) is away")
  }
}
