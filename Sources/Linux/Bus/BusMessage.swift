import CSystemd
import Glibc

/// A message that a bus has delivered.
///
/// Its values are read in their order, each once.
package struct BusMessage: ~Copyable {
  let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) {
    self.pointer = sd_bus_message_ref(pointer)
  }

  deinit { sd_bus_message_unref(pointer) }

  /// Another reference to it, for an answer that comes later.
  package func copy() -> BusMessage { BusMessage(pointer) }

  /// The connection that has sent it, by its unique name.
  package var sender: String? { sd_bus_message_get_sender(pointer).map { String(cString: $0) } }
  package var path: String? { sd_bus_message_get_path(pointer).map { String(cString: $0) } }
  package var interface: String? { sd_bus_message_get_interface(pointer).map { String(cString: $0) } }
  package var member: String? { sd_bus_message_get_member(pointer).map { String(cString: $0) } }
  /// The types of its values.
  package var signature: String { sd_bus_message_get_signature(pointer, 1).map { String(cString: $0) } ?? "" }

  /// Whether its values are of these types.
  package func has(signature: String) -> Bool { sd_bus_message_has_signature(pointer, signature) > 0 }

  /// Whether a connection of this unique name has sent it.
  package func isFrom(_ name: String) -> Bool {
    guard let sender = sd_bus_message_get_sender(pointer) else { return false }
    return strcmp(sender, name) == 0
  }

  /// The error that it tells, if it is an answer that does.
  package var error: BusError? {
    guard sd_bus_message_is_method_error(pointer, nil) > 0, let error = sd_bus_message_get_error(pointer) else {
      return nil
    }
    return BusError(
      name: error.pointee.name.map { String(cString: $0) } ?? "",
      message: error.pointee.message.map { String(cString: $0) } ?? "")
  }

  /// Has its values read from the beginning again.
  package func rewind() { sd_bus_message_rewind(pointer, 1) }

  /// All values from here on.
  package func values(within limits: BusLimits = BusLimits()) throws(BusValueError) -> [BusValue] {
    var reader = BusReader(pointer, limits)
    var values: [BusValue] = []
    while sd_bus_message_at_end(pointer, 1) == 0 {
      guard let value = reader.value() else { throw reader.fault ?? .malformed }
      values.append(value)
    }
    return values
  }

  /// The next value.
  package func value(within limits: BusLimits = BusLimits()) throws(BusValueError) -> BusValue {
    var reader = BusReader(pointer, limits)
    guard let value = reader.value() else { throw reader.fault ?? .malformed }
    return value
  }

  /// The next value, which must be a string.
  package func string() throws(BusValueError) -> String {
    guard case .string(let text) = try value() else { throw .malformed }
    return text
  }

  /// The type of what is in the variant that comes next.
  package func typeOfVariant() throws(BusValueError) -> BusType {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    guard sd_bus_message_peek_type(pointer, &type, &contents) > 0, type == CChar(UInt8(ascii: "v")), let contents,
      let types = BusType.types(of: String(cString: contents)), types.count == 1
    else { throw .malformed }
    return types[0]
  }

  /// Reads properties, which are a dictionary from names to variants; most may not be wanted.
  ///
  /// - Parameters:
  ///   - names: Those that are wanted.
  ///   - body: Told the index of each of these that is there, and its value or why it is none.
  package func properties(
    _ names: [String], within limits: BusLimits = BusLimits(), _ body: (Int, Result<BusValue, BusValueError>) -> Void
  ) throws(BusValueError) {
    var reader = BusReader(pointer, limits)
    reader.properties(names, body)
    if let fault = reader.fault { throw fault }
  }
}

/// An error that was the answer to a call.
package struct BusError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Its name, such as `org.freedesktop.DBus.Error.UnknownProperty`.
  package let name: String
  /// What it says to people.
  package let message: String

  package init(name: String, message: String) {
    self.name = name
    self.message = message
  }

  package var description: String { message.isEmpty ? name : "\(message) (\(name))" }

  private static let prefix = "org.freedesktop.DBus.Error."

  /// Whether nobody owns the name that was called.
  package var isMissingOwner: Bool {
    ["ServiceUnknown", "NameHasNoOwner"].contains { name == Self.prefix + $0 }
  }

  /// Whether there was no answer: nobody gave one in time, or the one who should is gone.
  package var isMissingReply: Bool {
    ["NoReply", "Timeout", "TimedOut", "Disconnected"].contains { name == Self.prefix + $0 }
  }

  /// Whether the bus allows no more of something.
  package var isLimit: Bool { name == Self.prefix + "LimitsExceeded" }

  /// Whether the same call may be well later, though nothing else changes.
  package var isPassing: Bool { isMissingOwner || isMissingReply || isLimit }
}
