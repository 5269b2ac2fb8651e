import CSystemd
import Glibc

/// A message received from a bus.
///
/// Its values are read in order, each once.
package struct BusMessage: ~Copyable {
  let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) {
    self.pointer = sd_bus_message_ref(pointer)
  }

  deinit { sd_bus_message_unref(pointer) }

  /// Returns another reference to the message, for a later reply.
  package func copy() -> BusMessage { BusMessage(pointer) }

  /// The unique name of the sender.
  package var sender: String? { sd_bus_message_get_sender(pointer).map { String(cString: $0) } }
  package var path: String? { sd_bus_message_get_path(pointer).map { String(cString: $0) } }
  package var interface: String? { sd_bus_message_get_interface(pointer).map { String(cString: $0) } }
  package var member: String? { sd_bus_message_get_member(pointer).map { String(cString: $0) } }
  /// The signature of its values.
  package var signature: String { sd_bus_message_get_signature(pointer, 1).map { String(cString: $0) } ?? "" }

  /// Compares the signature of its values.
  package func has(signature: String) -> Bool { sd_bus_message_has_signature(pointer, signature) > 0 }

  /// Compares the sender's unique name.
  package func isFrom(_ name: String) -> Bool {
    guard let sender = sd_bus_message_get_sender(pointer) else { return false }
    return strcmp(sender, name) == 0
  }

  /// The error, if it is an error reply.
  package var error: BusError? {
    guard sd_bus_message_is_method_error(pointer, nil) > 0, let error = sd_bus_message_get_error(pointer) else {
      return nil
    }
    return BusError(
      name: error.pointee.name.map { String(cString: $0) } ?? "",
      message: error.pointee.message.map { String(cString: $0) } ?? "")
  }

  /// Resets reading to the first value.
  package func rewind() { sd_bus_message_rewind(pointer, 1) }

  /// Reads all remaining values.
  package func values(within limits: BusLimits = BusLimits()) throws(BusValueError) -> [BusValue] {
    var reader = BusReader(pointer, limits)
    var values: [BusValue] = []
    while sd_bus_message_at_end(pointer, 1) == 0 {
      guard let value = reader.value() else { throw reader.fault ?? .malformed }
      values.append(value)
    }
    return values
  }

  /// Reads the next value.
  package func value(within limits: BusLimits = BusLimits()) throws(BusValueError) -> BusValue {
    var reader = BusReader(pointer, limits)
    guard let value = reader.value() else { throw reader.fault ?? .malformed }
    return value
  }

  /// Reads the next value, which must be a string.
  package func string() throws(BusValueError) -> String {
    guard case .string(let text) = try value() else { throw .malformed }
    return text
  }

  /// Returns the type inside the variant that comes next.
  package func typeOfVariant() throws(BusValueError) -> BusType {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    guard sd_bus_message_peek_type(pointer, &type, &contents) > 0, type == CChar(UInt8(ascii: "v")), let contents,
      let types = BusType.types(of: String(cString: contents)), types.count == 1
    else { throw .malformed }
    return types[0]
  }

  /// Reads selected properties from a dictionary of names and variants.
  ///
  /// - Parameters:
  ///   - names: The properties to read.
  ///   - body: Called with the index of each one present, and its value or the error in decoding it.
  package func properties(
    _ names: [String], within limits: BusLimits = BusLimits(), _ body: (Int, Result<BusValue, BusValueError>) -> Void
  ) throws(BusValueError) {
    var reader = BusReader(pointer, limits)
    reader.properties(names, body)
    if let fault = reader.fault { throw fault }
  }
}

/// An error reply to a call.
package struct BusError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name, such as `org.freedesktop.DBus.Error.UnknownProperty`.
  package let name: String
  /// The error message.
  package let message: String

  package init(name: String, message: String) {
    self.name = name
    self.message = message
  }

  package var description: String { message.isEmpty ? name : "\(message) (\(name))" }

  private static let prefix = "org.freedesktop.DBus.Error."

  /// True if the called name has no owner.
  package var isMissingOwner: Bool {
    ["ServiceUnknown", "NameHasNoOwner"].contains { name == Self.prefix + $0 }
  }

  /// True if there was no reply: it timed out, or the callee has disconnected.
  package var isMissingReply: Bool {
    ["NoReply", "Timeout", "TimedOut", "Disconnected"].contains { name == Self.prefix + $0 }
  }

  /// True if a limit of the bus was exceeded.
  package var isLimit: Bool { name == Self.prefix + "LimitsExceeded" }

  /// True if a later call may succeed without any other change.
  package var isPassing: Bool { isMissingOwner || isMissingReply || isLimit }
}
