/// A value in a message of D-Bus, without the types that make no difference to people.
///
/// Strings, paths and signatures are strings, structures and arrays are lists, and a variant is what is in it.
package enum BusValue: Hashable, Sendable {
  case bool(Bool)
  case integer(Int64)
  /// An integer that is greater than any `Int64`.
  case unsigned(UInt64)
  case double(Double)
  case string(String)
  /// An array of bytes.
  case bytes([UInt8])
  case list([BusValue])
  /// The members of a dictionary in their order, with their keys as text.
  case dictionary([Member])
  /// A variant whose type is not to be chosen by its value; only for messages that are written.
  indirect case variant(BusType, BusValue)

  package struct Member: Hashable, Sendable {
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

  /// The type that a variant has of which nothing else is known.
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

  /// The type that all elements have, where each is a scalar of the same kind.
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

extension BusType {
  fileprivate var isScalar: Bool {
    switch self {
    case .array, .structure, .dictionary, .variant: false
    default: true
    }
  }
}

/// Why something in a message makes no value, or a value no message.
package enum BusValueError: Error, Equatable, CustomStringConvertible {
  /// More than so many bytes.
  case tooLarge(Int)
  /// Nested deeper than this.
  case tooDeep(Int)
  /// A descriptor, which stands for nothing outside of a process.
  case descriptor
  /// Bytes that are no message of D-Bus, or other types than those that belong there.
  case malformed
  /// A value that is not of the type, given by its signature.
  case misfit(String)

  package var description: String {
    switch self {
    case .tooLarge(let limit): "it is larger than \(limit) bytes"
    case .tooDeep(let limit): "it is nested more than \(limit) deep"
    case .descriptor: "it is a descriptor, which makes no value"
    case .malformed: "it is not of the types that D-Bus asks for there"
    case .misfit(let signature): "it is not of the type \(signature)"
    }
  }
}

/// The bounds of what is read from a message, or written to one.
package struct BusLimits: Sendable {
  /// How many bytes a value may have, with eight for each value in it.
  package let bytes: Int
  /// How deep it may be nested; the bus closes the connection of who sends more than 64.
  package let depth: Int

  package init(bytes: Int = 1 << 20, depth: Int = 60) {
    self.bytes = bytes
    self.depth = depth
  }
}
