import CSystemd
import Glibc

/// A message to be sent by a connection.
package struct OutgoingBusMessage: ~Copyable {
  let pointer: OpaquePointer
  private let limits: BusLimits
  private var rest: Int
  private var depth = 0

  private init(_ pointer: OpaquePointer, _ limits: BusLimits) {
    self.pointer = pointer
    self.limits = limits
    rest = limits.bytes
  }

  deinit { sd_bus_message_unref(pointer) }

  /// The size of its values in bytes, plus eight for each.
  var byteCount: Int { limits.bytes - rest }

  /// Creates a method call.
  ///
  /// - Parameter activates: True to start the service if it is not running.
  /// - Throws: `EINVAL` for an invalid name or path.
  package static func call(
    of member: String, _ interface: String, at path: String, of destination: String, on connection: BusConnection,
    activates: Bool = false, limits: BusLimits = BusLimits()
  ) throws(Errno) -> OutgoingBusMessage {
    var pointer: OpaquePointer?
    let result = sd_bus_message_new_method_call(connection.bus, &pointer, destination, path, interface, member)
    guard result >= 0, let pointer else { throw Errno(-result, call: "sd_bus_message_new_method_call") }
    let message = OutgoingBusMessage(pointer, limits)
    try checked(sd_bus_message_set_auto_start(pointer, activates ? 1 : 0), "sd_bus_message_set_auto_start")
    return message
  }

  /// Creates a broadcast signal.
  package static func signal(
    _ member: String, of interface: String, at path: String, on connection: BusConnection,
    limits: BusLimits = BusLimits()
  ) throws(Errno) -> OutgoingBusMessage {
    var pointer: OpaquePointer?
    let result = sd_bus_message_new_signal(connection.bus, &pointer, path, interface, member)
    guard result >= 0, let pointer else { throw Errno(-result, call: "sd_bus_message_new_signal") }
    return OutgoingBusMessage(pointer, limits)
  }

  /// Creates the reply to a call.
  package static func answer(
    to call: borrowing BusMessage, limits: BusLimits = BusLimits()
  ) throws(Errno) -> OutgoingBusMessage {
    var pointer: OpaquePointer?
    let result = sd_bus_message_new_method_return(call.pointer, &pointer)
    guard result >= 0, let pointer else { throw Errno(-result, call: "sd_bus_message_new_method_return") }
    return OutgoingBusMessage(pointer, limits)
  }

  /// Creates an error reply to a call.
  package static func error(_ error: BusError, to call: borrowing BusMessage) throws(Errno) -> OutgoingBusMessage {
    var content = sd_bus_error()
    sd_bus_error_set(&content, error.name, error.message)
    defer { sd_bus_error_free(&content) }
    var pointer: OpaquePointer?
    let result = sd_bus_message_new_method_error(call.pointer, &pointer, &content)
    guard result >= 0, let pointer else { throw Errno(-result, call: "sd_bus_message_new_method_error") }
    return OutgoingBusMessage(pointer, BusLimits())
  }

  /// Appends a value.
  package mutating func append(_ value: BusValue, as type: BusType) throws(BusValueError) {
    rest -= 8
    if rest < 0 { throw .tooLarge(limits.bytes) }
    switch (type, value) {
    case (.variant, .variant(let inner, let value)): try variant(value, as: inner)
    case (.variant, _): try variant(value, as: value.naturalType)
    case (.array(.byte), .bytes(let bytes)): try append(bytes)
    case (.array(let element), .list(let values)):
      try container("a", element.signature) { (message) throws(BusValueError) in
        for value in values { try message.append(value, as: element) }
      }
    case (.structure(let members), .list(let values)) where members.count == values.count:
      let contents = members.map(\.signature).joined()
      try container("r", contents) { (message) throws(BusValueError) in
        for (member, value) in zip(members, values) { try message.append(value, as: member) }
      }
    case (.dictionary(let key, let type), .dictionary(let members)):
      try dictionary(members, key, type)
    case (.boolean, .bool(let isTrue)): try basic(type, Int32(isTrue ? 1 : 0))
    case (.double, _): try basic(type, double(value))
    case (.string, .string(let text)), (.objectPath, .string(let text)), (.signature, .string(let text)):
      try string(type, text)
    case (_, .integer), (_, .unsigned): try integer(type, value)
    default: throw .mismatch(type.signature)
    }
  }

  /// Appends strings, the arguments of many methods of the bus.
  package mutating func append(strings: String...) throws(BusValueError) {
    for text in strings { try append(.string(text), as: .string) }
  }

  private mutating func variant(_ value: BusValue, as type: BusType) throws(BusValueError) {
    try container("v", type.signature) { (message) throws(BusValueError) in try message.append(value, as: type) }
  }

  private mutating func dictionary(
    _ members: [BusValue.Member], _ key: BusType, _ type: BusType
  ) throws(BusValueError) {
    let contents = key.signature + type.signature
    try container("a", "{\(contents)}") { (message) throws(BusValueError) in
      for member in members {
        try message.container("e", contents) { (message) throws(BusValueError) in
          try message.append(key.value(ofKey: member.key), as: key)
          try message.append(member.value, as: type)
        }
      }
    }
  }

  private mutating func container(
    _ code: Unicode.Scalar, _ contents: String, _ write: (inout Self) throws(BusValueError) -> Void
  ) throws(BusValueError) {
    if depth >= limits.depth { throw .tooDeep(limits.depth) }
    depth += 1
    defer { depth -= 1 }
    let code = CChar(truncatingIfNeeded: code.value)
    if sd_bus_message_open_container(pointer, code, contents) < 0 { throw .mismatch(contents) }
    try write(&self)
    if sd_bus_message_close_container(pointer) < 0 { throw .mismatch(contents) }
  }

  private mutating func append(_ bytes: [UInt8]) throws(BusValueError) {
    try spend(bytes.count)
    if sd_bus_message_append_array(pointer, CChar(UInt8(ascii: "y")), bytes, bytes.count) < 0 { throw .mismatch("ay") }
  }

  private mutating func string(_ type: BusType, _ text: String) throws(BusValueError) {
    try spend(text.utf8.count)
    // An embedded zero byte would truncate it.
    if text.utf8.contains(0) { throw .mismatch(type.signature) }
    let result = text.withCString { sd_bus_message_append_basic(pointer, CChar(type.code), $0) }
    if result < 0 { throw .mismatch(type.signature) }
  }

  private func double(_ value: BusValue) throws(BusValueError) -> Double {
    switch value {
    case .double(let number): return number
    case .integer(let number): return Double(number)
    case .unsigned(let number): return Double(number)
    default: throw .mismatch("d")
    }
  }

  private mutating func integer(_ type: BusType, _ value: BusValue) throws(BusValueError) {
    switch type {
    case .byte: try basic(type, exactly(value, UInt8.self))
    case .int16: try basic(type, exactly(value, Int16.self))
    case .uint16: try basic(type, exactly(value, UInt16.self))
    case .int32: try basic(type, exactly(value, Int32.self))
    case .uint32: try basic(type, exactly(value, UInt32.self))
    case .int64: try basic(type, exactly(value, Int64.self))
    case .uint64: try basic(type, exactly(value, UInt64.self))
    default: throw .mismatch(type.signature)
    }
  }

  private func exactly<Number: FixedWidthInteger>(_ value: BusValue, _: Number.Type) throws(BusValueError) -> Number? {
    switch value {
    case .integer(let number): Number(exactly: number)
    case .unsigned(let number): Number(exactly: number)
    default: nil
    }
  }

  private mutating func basic<Number: BitwiseCopyable>(_ type: BusType, _ number: Number?) throws(BusValueError) {
    guard var number, sd_bus_message_append_basic(pointer, CChar(type.code), &number) >= 0 else {
      throw .mismatch(type.signature)
    }
  }

  private mutating func spend(_ bytes: Int) throws(BusValueError) {
    rest -= bytes
    if rest < 0 { throw .tooLarge(limits.bytes) }
  }
}

extension BusType {
  /// Returns the dictionary key in a text, or a string if the text does not match the type.
  fileprivate func value(ofKey text: String) -> BusValue {
    switch self {
    case .boolean: text == "true" ? .bool(true) : text == "false" ? .bool(false) : .string(text)
    case .double: Double(text).map(BusValue.double) ?? .string(text)
    default:
      integers == nil
        ? .string(text) : Int64(text).map(BusValue.integer) ?? UInt64(text).map { BusValue($0) } ?? .string(text)
    }
  }
}
