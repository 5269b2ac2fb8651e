import Base

/// A value in a D-Bus message, without type distinctions that do not matter here.
///
/// Strings, paths and signatures are strings, structures and arrays are lists, and a variant is its content.
package enum BusValue: Equatable, Sendable {
  case bool(Bool)
  case integer(Int64)
  /// An integer beyond the range of `Int64`.
  case unsigned(UInt64)
  case double(Double)
  case string(String)
  /// An array of bytes.
  case bytes([UInt8])
  case list([BusValue])
  /// The members of a dictionary in order, with their keys as text.
  case dictionary([Member])
  /// A variant with an explicit type; only for outgoing messages.
  indirect case variant(BusType, BusValue)

  package struct Member: Equatable, Sendable {
    package let key: String
    package let value: BusValue

    package init(key: String, value: BusValue) {
      self.key = key
      self.value = value
    }
  }

  package init(_ integer: UInt64) {
    self = Int64(exactly: integer).map(Self.integer) ?? .unsigned(integer)
  }

  /// The default type of a variant with this content.
  package var naturalType: BusType {
    switch self {
    case .bool: .boolean
    case .integer(let number): Int32(exactly: number) == nil ? .int64 : .int32
    case .unsigned: .uint64
    case .double: .double
    case .string: .string
    case .bytes: .array(.byte)
    case .list(let elements): .array(Self.naturalType(of: elements))
    case .dictionary: .dictionary(key: .string, value: .variant)
    case .variant: .variant
    }
  }

  /// Returns the common type of all elements if they are scalars of one kind, else `variant`.
  private static func naturalType(of elements: [BusValue]) -> BusType {
    guard let first = elements.first?.naturalType, first.isScalar else { return .variant }
    var common = first
    for element in elements.dropFirst() {
      let type = element.naturalType
      if type == common { continue }
      switch (common, type) {
      case (.int32, .int64): common = .int64
      case (.int64, .int32): break
      default: return .variant
      }
    }
    return common
  }
}

// Strings are equal by their bytes.
extension BusValue {
  package static func == (one: Self, other: Self) -> Bool {
    switch (one, other) {
    case (.bool(let one), .bool(let other)): one == other
    case (.integer(let one), .integer(let other)): one == other
    case (.unsigned(let one), .unsigned(let other)): one == other
    case (.double(let one), .double(let other)): one == other
    case (.string(let one), .string(let other)): one.hasSameBytes(as: other)
    case (.bytes(let one), .bytes(let other)): one == other
    case (.list(let one), .list(let other)): one == other
    case (.dictionary(let one), .dictionary(let other)): one == other
    case (.variant(let type, let one), .variant(let otherType, let other)): type == otherType && one == other
    default: false
    }
  }
}

extension BusValue.Member {
  package static func == (one: Self, other: Self) -> Bool {
    one.key.hasSameBytes(as: other.key) && one.value == other.value
  }
}

extension BusType {
  fileprivate var isScalar: Bool {
    switch self {
    case .array, .structure, .dictionary, .variant: false
    default: true
    }
  }
}

/// The reason for failing to decode a value, or to encode one.
package enum BusValueError: Error, Equatable, CustomStringConvertible {
  /// Exceeds this number of bytes.
  case tooLarge(Int)
  /// Exceeds this nesting depth.
  case tooDeep(Int)
  /// A file descriptor, which has no meaning outside a process.
  case descriptor
  /// The message is malformed, or its types are unexpected.
  case malformed
  /// The value does not match the type with this signature.
  case mismatch(String)

  package var description: String {
    switch self {
    case .tooLarge(let limit): "it is larger than \(limit) bytes"
    case .tooDeep(let limit): "it is nested more than \(limit) deep"
    case .descriptor: "a file descriptor cannot be a value"
    case .malformed: "it has a type that D-Bus does not allow here"
    case .mismatch(let signature): "it is not of the type \(signature)"
    }
  }
}

/// The limits for decoding and encoding messages.
package struct BusLimits: Sendable {
  /// The maximum size of a value in bytes, plus eight for each nested value.
  package let bytes: Int
  /// The maximum nesting depth; the bus disconnects senders that exceed 64.
  package let depth: Int

  package init(bytes: Int = 1 << 20, depth: Int = 60) {
    self.bytes = bytes
    self.depth = depth
  }
}
