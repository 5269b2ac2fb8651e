import JSON
import Linux
import SignalGraph

/// The arguments of a call, of the types that a signature asks for.
struct BusArguments {
  let types: [BusType]
  let values: [BusValue]

  /// - Throws: `bad_value`, which says what argument is none and what was expected.
  init(_ arguments: [JSONValue], as signature: String, bytes: BusBytes = .numbers) throws(SignalFailure) {
    guard let types = BusType.types(of: signature) else {
      throw SignalFailure(noValue: "“\(signature)” is no signature of D-Bus")
    }
    guard types.count == arguments.count else {
      let expected = types.isEmpty ? "no argument is" : "\(types.count) (\(signature)) are"
      throw SignalFailure(noValue: "\(arguments.count) arguments are given, where \(expected) expected")
    }
    var values: [BusValue] = []
    for (index, (argument, type)) in zip(arguments, types).enumerated() {
      do throws(Misfit) {
        values.append(try BusValue(argument, as: type, bytes: bytes))
      } catch {
        throw SignalFailure(noValue: "argument \(index + 1)\(error)")
      }
    }
    self.types = types
    self.values = values
  }

  /// Writes them into a message.
  func write(to message: inout OutgoingBusMessage) throws(BusValueError) {
    for (type, value) in zip(types, values) { try message.append(value, as: type) }
  }
}

/// A part of a value that is not of its type: where it is, and what was expected.
struct Misfit: Error, CustomStringConvertible {
  private var path = ""
  private let value: String
  private let expectation: String

  init(_ value: JSONValue, _ expectation: String) {
    let text = value.description
    self.value = text.count > 60 ? text.prefix(60) + "…" : text
    self.expectation = expectation
  }

  func within(_ step: String) -> Misfit {
    var outer = self
    outer.path = step + path
    return outer
  }

  /// Follows on the name of the whole value: `[2].name is null, where a string (s) is expected`.
  var description: String { "\(path) is \(value), where \(expectation) is expected" }
}

extension BusValue {
  /// The value of a type that a JSON value stands for.
  init(_ value: JSONValue, as type: BusType, bytes: BusBytes) throws(Misfit) {
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
    default: throw Misfit(value, type.expectation)
    }
  }

  private static func list(
    _ values: [JSONValue], _ bytes: BusBytes, _ type: (Int) -> BusType
  ) throws(Misfit) -> [BusValue] {
    var list: [BusValue] = []
    for (index, value) in values.enumerated() {
      do throws(Misfit) {
        list.append(try BusValue(value, as: type(index), bytes: bytes))
      } catch {
        throw error.within("[\(index)]")
      }
    }
    return list
  }

  private static func members(
    _ object: JSONObject, _ key: BusType, _ type: BusType, _ bytes: BusBytes
  ) throws(Misfit) -> [Member] {
    var members: [Member] = []
    for member in object.members {
      guard key.canBeKey(member.key) else {
        throw Misfit(.string(member.key), "a key that is \(key.expectation)")
      }
      do throws(Misfit) {
        members.append(Member(key: member.key, value: try BusValue(member.value, as: type, bytes: bytes)))
      } catch {
        throw error.within("[\"\(member.key)\"]")
      }
    }
    return members
  }

  private static func integer(_ value: JSONValue, _ type: BusType) throws(Misfit) -> BusValue {
    guard let bounds = type.integers else { throw Misfit(value, type.expectation) }
    switch value.exactInteger {
    case .integer(let number)? where number >= bounds.least && (number < 0 || number.magnitude <= bounds.greatest):
      return .integer(number)
    case .unsigned(let number)? where number <= bounds.greatest: return .unsigned(number)
    default: throw Misfit(value, type.expectation)
    }
  }

  /// The value of which nothing is known but what it is in JSON.
  init(natural value: JSONValue) throws(Misfit) {
    switch value.plain {
    case .bool(let isTrue): self = .bool(isTrue)
    case .number(let number): self = value.exactInteger ?? .double(number)
    case .string(let text) where !text.utf8.contains(0): self = .string(text)
    case .array(let values):
      var list: [BusValue] = []
      for (index, value) in values.enumerated() {
        do throws(Misfit) { list.append(try BusValue(natural: value)) } catch { throw error.within("[\(index)]") }
      }
      self = .list(list)
    case .object(let object): self = .dictionary(try Self.members(object, .string, .variant, .numbers))
    case .null, .string, .verbatim: throw Misfit(value, "a value that D-Bus has (it has no null)")
    }
  }
}

extension JSONValue {
  /// The integer that a number is, with all the digits that it was written with.
  var exactInteger: BusValue? {
    if case .verbatim(let verbatim) = self {
      if let number = Int64(verbatim.text) { return .integer(number) }
      if let number = UInt64(verbatim.text) { return .unsigned(number) }
    }
    guard case .number(let number) = plain else { return nil }
    return Int64(exactly: number).map(BusValue.integer) ?? UInt64(exactly: number).map { BusValue($0) }
  }
}

extension BusType {
  /// What a value of it is in JSON, for people.
  fileprivate var expectation: String {
    switch self {
    case .boolean: "true or false (b)"
    case .double: "a number (d)"
    case .string: "a string (s)"
    case .objectPath: "a path of an object (o)"
    case .signature: "a signature (g)"
    case .descriptor: "a descriptor (h), which no value is,"
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
