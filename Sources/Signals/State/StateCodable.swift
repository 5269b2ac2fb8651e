/// A value that can be encoded between two events and decoded, also by another process.
///
/// The decoded value is identical to the bit: nothing of it may depend on addresses or on the order of a hash table.
package protocol StateCodable {
  func encode(to writer: inout StateEncoder)

  /// Decodes the value.
  ///
  /// - Throws: A `StateError` if the bytes are not such a value.
  init(from reader: inout StateDecoder) throws(StateError)
}

/// A variable that can be encoded, and is restored in place.
package protocol StateRestorable {
  func encode(to writer: inout StateEncoder)

  /// Restores what was encoded.
  mutating func restore(from reader: inout StateDecoder) throws(StateError)
}

/// A saved state that cannot be decoded.
package struct StateError: Error, Sendable {
  /// The reason, as a message.
  package let message: String

  package init(_ message: String) { self.message = message }
}

// MARK: - Types of the standard library

extension Bool: StateCodable {
  package func encode(to writer: inout StateEncoder) { writer.byte(self ? 1 : 0) }
  package init(from reader: inout StateDecoder) throws(StateError) {
    switch try reader.byte() {
    case 0: self = false
    case 1: self = true
    default: throw StateError("invalid boolean")
    }
  }
}

extension UInt8: StateCodable {
  package func encode(to writer: inout StateEncoder) { writer.byte(self) }
  package init(from reader: inout StateDecoder) throws(StateError) { self = try reader.byte() }
}

extension UInt64: StateCodable {
  package func encode(to writer: inout StateEncoder) { writer.number(self) }
  package init(from reader: inout StateDecoder) throws(StateError) { self = try reader.number() }
}

extension Int64: StateCodable {
  package func encode(to writer: inout StateEncoder) { writer.signed(self) }
  package init(from reader: inout StateDecoder) throws(StateError) { self = try reader.signed() }
}

extension Int: StateCodable {
  package func encode(to writer: inout StateEncoder) { writer.signed(Int64(self)) }
  package init(from reader: inout StateDecoder) throws(StateError) { self = Int(try reader.signed()) }
}

extension Int32: StateCodable {
  package func encode(to writer: inout StateEncoder) { writer.signed(Int64(self)) }
  package init(from reader: inout StateDecoder) throws(StateError) {
    guard let number = Self(exactly: try reader.signed()) else { throw StateError("number out of range") }
    self = number
  }
}

extension Double: StateCodable {
  package func encode(to writer: inout StateEncoder) { writer.bits(bitPattern) }
  package init(from reader: inout StateDecoder) throws(StateError) { self = Double(bitPattern: try reader.bits()) }
}

extension String: StateCodable {
  package func encode(to writer: inout StateEncoder) { writer.text(self) }
  package init(from reader: inout StateDecoder) throws(StateError) { self = try reader.text() }
}

extension Optional: StateCodable where Wrapped: StateCodable {
  package func encode(to writer: inout StateEncoder) {
    (self != nil).encode(to: &writer)
    self?.encode(to: &writer)
  }

  package init(from reader: inout StateDecoder) throws(StateError) {
    self = try Bool(from: &reader) ? try Wrapped(from: &reader) : nil
  }
}

extension Array: StateCodable where Element: StateCodable {
  // One by one, each byte of a file would cost 400 instructions.
  package func encode(to writer: inout StateEncoder) {
    if Element.self == UInt8.self { return writer.blob(unsafeBitCast(self, to: [UInt8].self)) }
    writer.count(count)
    for element in self { element.encode(to: &writer) }
  }

  package init(from reader: inout StateDecoder) throws(StateError) {
    if Element.self == UInt8.self {
      self = unsafeBitCast([UInt8](try reader.blob()), to: Self.self)
      return
    }
    self = []
    for _ in 0..<(try reader.count()) { append(try Element(from: &reader)) }
  }
}

extension Dictionary: StateCodable where Key: StateCodable & Comparable, Value: StateCodable {
  package func encode(to writer: inout StateEncoder) {
    writer.count(count)
    for (key, value) in sorted(by: { $0.key < $1.key }) {
      key.encode(to: &writer)
      value.encode(to: &writer)
    }
  }

  package init(from reader: inout StateDecoder) throws(StateError) {
    self = [:]
    for _ in 0..<(try reader.count()) {
      let key = try Key(from: &reader)
      self[key] = .some(try Value(from: &reader))
    }
  }
}

extension StateCodable where Self: RawRepresentable, RawValue: StateCodable {
  package func encode(to writer: inout StateEncoder) { rawValue.encode(to: &writer) }

  package init(from reader: inout StateDecoder) throws(StateError) {
    let rawValue = try RawValue(from: &reader)
    guard let value = Self(rawValue: rawValue) else { throw StateError("unknown \(Self.self): \(rawValue)") }
    self = value
  }
}

// MARK: - Types of the core

extension Instant: StateCodable {
  package func encode(to writer: inout StateEncoder) { writer.signed(nanoseconds) }
  package init(from reader: inout StateDecoder) throws(StateError) { self.init(nanoseconds: try reader.signed()) }
}

extension Duration: StateCodable {
  package func encode(to writer: inout StateEncoder) {
    let (seconds, attoseconds) = components
    writer.signed(seconds)
    writer.signed(attoseconds)
  }

  package init(from reader: inout StateDecoder) throws(StateError) {
    self.init(secondsComponent: try reader.signed(), attosecondsComponent: try reader.signed())
  }
}

/// The memory of an operator without state.
struct NoMemory: StateRecord {
  init() {}
  init(_ field: inout StateCoder<Self>) {}
}
