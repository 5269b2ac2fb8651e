import GraphModel
import JSON
package import Linux

/// The arguments of a call, of the types in a signature.
struct BusArguments {
  let types: [BusType]
  let values: [BusValue]

  /// - Throws: `bad_value` with the argument that does not fit and its expected type.
  init(_ arguments: [JSONValue], as signature: String, bytes: BusBytes = .numbers) throws(SignalFailure) {
    guard let types = BusType.types(of: signature) else {
      throw SignalFailure(noValue: "invalid D-Bus signature “\(signature)”")
    }
    guard types.count == arguments.count else {
      let expected = types.isEmpty ? "no argument is" : "\(types.count) (\(signature)) are"
      throw SignalFailure(noValue: "\(arguments.count) arguments are given, where \(expected) expected")
    }
    var values: [BusValue] = []
    for (index, (argument, type)) in zip(arguments, types).enumerated() {
      do throws(TypeMismatch) {
        values.append(try BusValue(argument, as: type, bytes: bytes))
      } catch {
        throw SignalFailure(noValue: "argument \(index + 1)\(error)")
      }
    }
    self.types = types
    self.values = values
  }

  /// Appends the arguments to a message.
  func write(to message: inout OutgoingBusMessage) throws(BusValueError) {
    for (type, value) in zip(types, values) { try message.append(value, as: type) }
  }
}

/// A part of a value that does not have its type: its path and the expected type.
struct TypeMismatch: Error, CustomStringConvertible {
  private var path = ""
  private let value: String
  private let expectation: String

  init(_ value: JSONValue, _ expectation: String) {
    let text = value.description
    self.value = text.count > 60 ? text.prefix(60) + "…" : text
    self.expectation = expectation
  }

  func within(_ step: String) -> TypeMismatch {
    var outer = self
    outer.path = step + path
    return outer
  }

  /// A continuation of the name of the whole value: `[2].name is null, where a string (s) is expected`.
  var description: String { "\(path) is \(value), where \(expectation) is expected" }
}

extension BusValue {
  /// Converts a JSON value to a type.
  init(_ value: JSONValue, as type: BusType, bytes: BusBytes) throws(TypeMismatch) {
    switch (type, value.plain) {
    case (.boolean, .bool(let isTrue)): self = .bool(isTrue)
    case (.double, .number(let number)): self = .double(number)
    case (.string, .string(let text)) where !text.utf8.contains(0): self = .string(text)
    case (.objectPath, .string(let text)) where BusName.isPath(text): self = .string(text)
    case (.signature, .string(let text)) where BusType.types(of: text) != nil: self = .string(text)
    case (.variant, _): self = try BusValue(natural: value)
    case (.array(.byte), .string(let text)) where bytes == .text: self = .bytes([UInt8](text.utf8))
    case (.array(let element), .array(let values)): self = .list(try Self.list(values, bytes) { _ in element })
    case (.structure(let members), .array(let values)) where members.count == values.count:
      self = .list(try Self.list(values, bytes) { members[$0] })
    case (.dictionary(let key, let type), .object(let object)):
      self = .dictionary(try Self.members(object, key, type, bytes))
    case (_, .number): self = try Self.integer(value, type)
    default: throw TypeMismatch(value, type.expectation)
    }
  }

  private static func list(
    _ values: [JSONValue], _ bytes: BusBytes, _ type: (Int) -> BusType
  ) throws(TypeMismatch) -> [BusValue] {
    var list: [BusValue] = []
    for (index, value) in values.enumerated() {
      do throws(TypeMismatch) {
        list.append(try BusValue(value, as: type(index), bytes: bytes))
      } catch {
        throw error.within("[\(index)]")
      }
    }
    return list
  }

  private static func members(
    _ object: JSONObject, _ key: BusType, _ type: BusType, _ bytes: BusBytes
  ) throws(TypeMismatch) -> [Member] {
    var members: [Member] = []
    for member in object.members {
      guard key.canBeKey(member.key) else {
        throw TypeMismatch(.string(member.key), "a key that is \(key.expectation)")
      }
      do throws(TypeMismatch) {
        members.append(Member(key: member.key, value: try BusValue(member.value, as: type, bytes: bytes)))
      } catch {
        throw error.within("[\"\(member.key)\"]")
      }
    }
    return members
  }

  private static func integer(_ value: JSONValue, _ type: BusType) throws(TypeMismatch) -> BusValue {
    guard let bounds = type.integers else { throw TypeMismatch(value, type.expectation) }
    switch value.exactInteger {
    case .integer(let number)? where number >= bounds.least && (number < 0 || number.magnitude <= bounds.greatest):
      return .integer(number)
    case .unsigned(let number)? where number <= bounds.greatest: return .unsigned(number)
    default: throw TypeMismatch(value, type.expectation)
    }
  }

  /// Converts a JSON value without a type, by its JSON form alone.
  init(natural value: JSONValue) throws(TypeMismatch) {
    switch value.plain {
    case .bool(let isTrue): self = .bool(isTrue)
    case .number(let number): self = value.exactInteger ?? .double(number)
    case .string(let text) where !text.utf8.contains(0): self = .string(text)
    case .array(let values):
      var list: [BusValue] = []
      for (index, value) in values.enumerated() {
        do throws(TypeMismatch) { list.append(try BusValue(natural: value)) } catch { throw error.within("[\(index)]") }
      }
      self = .list(list)
    case .object(let object): self = .dictionary(try Self.members(object, .string, .variant, .numbers))
    case .null, .string, .verbatim: throw TypeMismatch(value, "a value that D-Bus has (it has no null)")
    }
  }
}

extension JSONValue {
  /// The integer value of a number, with all the digits of its text.
  package var exactInteger: BusValue? {
    if case .verbatim(let verbatim) = self {
      if let number = Int64(verbatim.text) { return .integer(number) }
      if let number = UInt64(verbatim.text) { return .unsigned(number) }
    }
    guard case .number(let number) = plain else { return nil }
    return Int64(exactly: number).map(BusValue.integer) ?? UInt64(exactly: number).map { BusValue($0) }
  }
}

extension BusType {
  /// The JSON form of a value of this type, for messages.
  fileprivate var expectation: String {
    switch self {
    case .boolean: "true or false (b)"
    case .double: "a number (d)"
    case .string: "a string (s)"
    case .objectPath: "a path of an object (o)"
    case .signature: "a signature (g)"
    case .descriptor: "a file descriptor (h), which a value cannot be,"
    case .variant: "a value (v)"
    case .array: "a list (\(signature))"
    case .structure(let members): "a list of \(members.count) (\(signature))"
    case .dictionary: "an object (\(signature))"
    default:
      integers.map { "an integer from \($0.least) to \($0.greatest) (\(signature))" } ?? signature
    }
  }

  fileprivate func canBeKey(_ text: String) -> Bool {
    switch self {
    case .string: return !text.utf8.contains(0)
    case .objectPath: return BusName.isPath(text)
    case .signature: return BusType.types(of: text) != nil
    case .boolean: return text == "true" || text == "false"
    case .double: return Double(text)?.isFinite == true
    default:
      guard let bounds = integers else { return false }
      if let number = Int64(text) {
        return number >= bounds.least && (number < 0 || number.magnitude <= bounds.greatest)
      }
      return UInt64(text).map { $0 <= bounds.greatest } ?? false
    }
  }
}
