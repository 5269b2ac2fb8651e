/// A single complete type of D-Bus.
package indirect enum BusType: Hashable, Sendable {
  case byte, boolean, int16, uint16, int32, uint32, int64, uint64, double
  case string, objectPath, signature
  case descriptor
  case variant
  case array(BusType)
  case structure([BusType])
  case dictionary(key: BusType, value: BusType)

  /// Parses a signature into its types; `nil` if it is invalid.
  package static func types(of signature: String) -> [BusType]? {
    guard signature.utf8.count <= 255 else { return nil }
    var parser = SignatureParser(signature)
    var types: [BusType] = []
    while !parser.isAtEnd {
      guard let type = parser.type() else { return nil }
      types.append(type)
    }
    return types
  }

  /// The signature of the type.
  package var signature: String {
    switch self {
    case .array(let element): "a" + element.signature
    case .structure(let members): "(" + members.map(\.signature).joined() + ")"
    case .dictionary(let key, let value): "a{" + key.signature + value.signature + "}"
    default: String(UnicodeScalar(code))
    }
  }

  /// The type code of sd-bus.
  var code: UInt8 {
    switch self {
    case .byte: UInt8(ascii: "y")
    case .boolean: UInt8(ascii: "b")
    case .int16: UInt8(ascii: "n")
    case .uint16: UInt8(ascii: "q")
    case .int32: UInt8(ascii: "i")
    case .uint32: UInt8(ascii: "u")
    case .int64: UInt8(ascii: "x")
    case .uint64: UInt8(ascii: "t")
    case .double: UInt8(ascii: "d")
    case .string: UInt8(ascii: "s")
    case .objectPath: UInt8(ascii: "o")
    case .signature: UInt8(ascii: "g")
    case .descriptor: UInt8(ascii: "h")
    case .variant: UInt8(ascii: "v")
    case .structure: UInt8(ascii: "r")
    case .array, .dictionary: UInt8(ascii: "a")
    }
  }

  fileprivate static let basics: [UInt8: BusType] = {
    let all: [BusType] = [
      .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string, .objectPath, .signature,
      .descriptor, .variant,
    ]
    return Dictionary(uniqueKeysWithValues: all.map { ($0.code, $0) })
  }()

  /// The range of an integer type; `nil` for others.
  package var integers: (least: Int64, greatest: UInt64)? {
    switch self {
    case .byte: (0, UInt64(UInt8.max))
    case .int16: (Int64(Int16.min), UInt64(Int16.max))
    case .uint16: (0, UInt64(UInt16.max))
    case .int32: (Int64(Int32.min), UInt64(Int32.max))
    case .uint32: (0, UInt64(UInt32.max))
    case .int64: (Int64.min, UInt64(Int64.max))
    case .uint64: (0, UInt64.max)
    default: nil
    }
  }
}

/// A parser of signatures; arrays and structures may be nested 32 deep each, the limit of the specification.
private struct SignatureParser {
  private var rest: Substring.UTF8View
  private var arrays = 0
  private var structures = 0

  init(_ text: String) { rest = Substring(text).utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func type() -> BusType? {
    guard let code = rest.popFirst() else { return nil }
    switch code {
    case UInt8(ascii: "a"): return array()
    case UInt8(ascii: "("): return structure()
    default: return BusType.basics[code]
    }
  }

  private mutating func array() -> BusType? {
    arrays += 1
    defer { arrays -= 1 }
    guard arrays <= 32 else { return nil }
    guard rest.first == UInt8(ascii: "{") else { return type().map(BusType.array) }
    rest.removeFirst()
    guard let key = rest.popFirst().flatMap({ BusType.basics[$0] }), key != .variant, let value = type(),
      rest.popFirst() == UInt8(ascii: "}")
    else { return nil }
    return .dictionary(key: key, value: value)
  }

  private mutating func structure() -> BusType? {
    structures += 1
    defer { structures -= 1 }
    guard structures <= 32 else { return nil }
    var members: [BusType] = []
    while let code = rest.first, code != UInt8(ascii: ")") {
      guard let member = type() else { return nil }
      members.append(member)
    }
    guard rest.popFirst() != nil, !members.isEmpty else { return nil }
    return .structure(members)
  }
}
