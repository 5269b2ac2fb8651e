/// A value that can be written down between two events and read back, also by another process.
///
/// The value that is read back is the same to the bit: nothing of it may depend on addresses or on the order of a hash
/// table.
package protocol Storable {
  func store(in writer: inout StateWriter)

  /// Reads the value back.
  ///
  /// - Throws: A `StateError` if the bytes are no such value.
  init(from reader: inout StateReader) throws(StateError)
}

/// A saved state cannot be read back.
package struct StateError: Error, Sendable {
  /// The reason, for people.
  package let message: String

  package init(_ message: String) { self.message = message }
}

// MARK: - What the standard library has

extension Bool: Storable {
  package func store(in writer: inout StateWriter) { writer.byte(self ? 1 : 0) }
  package init(from reader: inout StateReader) throws(StateError) {
    switch try reader.byte() {
    case 0: self = false
    case 1: self = true
    default: throw StateError("neither true nor false")
    }
  }
}

extension UInt8: Storable {
  package func store(in writer: inout StateWriter) { writer.byte(self) }
  package init(from reader: inout StateReader) throws(StateError) { self = try reader.byte() }
}

extension UInt64: Storable {
  package func store(in writer: inout StateWriter) { writer.number(self) }
  package init(from reader: inout StateReader) throws(StateError) { self = try reader.number() }
}

extension Int64: Storable {
  package func store(in writer: inout StateWriter) { writer.signed(self) }
  package init(from reader: inout StateReader) throws(StateError) { self = try reader.signed() }
}

extension Int: Storable {
  package func store(in writer: inout StateWriter) { writer.signed(Int64(self)) }
  package init(from reader: inout StateReader) throws(StateError) { self = Int(try reader.signed()) }
}

extension Double: Storable {
  package func store(in writer: inout StateWriter) { writer.bits(bitPattern) }
  package init(from reader: inout StateReader) throws(StateError) { self = Double(bitPattern: try reader.bits()) }
}

extension String: Storable {
  package func store(in writer: inout StateWriter) { writer.text(self) }
  package init(from reader: inout StateReader) throws(StateError) { self = try reader.text() }
}

extension Optional: Storable where Wrapped: Storable {
  package func store(in writer: inout StateWriter) {
    (self != nil).store(in: &writer)
    self?.store(in: &writer)
  }

  package init(from reader: inout StateReader) throws(StateError) {
    self = try Bool(from: &reader) ? try Wrapped(from: &reader) : nil
  }
}

extension Array: Storable where Element: Storable {
  package func store(in writer: inout StateWriter) {
    writer.count(count)
    for element in self { element.store(in: &writer) }
  }

  package init(from reader: inout StateReader) throws(StateError) {
    self = []
    for _ in 0..<(try reader.count()) { append(try Element(from: &reader)) }
  }
}

// MARK: - What the core has

extension Instant: Storable {
  package func store(in writer: inout StateWriter) { writer.signed(nanoseconds) }
  package init(from reader: inout StateReader) throws(StateError) { self.init(nanoseconds: try reader.signed()) }
}

extension Duration: Storable {
  package func store(in writer: inout StateWriter) {
    let (seconds, attoseconds) = components
    writer.signed(seconds)
    writer.signed(attoseconds)
  }

  package init(from reader: inout StateReader) throws(StateError) {
    self.init(secondsComponent: try reader.signed(), attosecondsComponent: try reader.signed())
  }
}

extension Fifo: Storable where Element: Storable {
  func store(in writer: inout StateWriter) { all.store(in: &writer) }
  init(from reader: inout StateReader) throws(StateError) { self.init(try [Element](from: &reader)) }
}

/// The memory of an operator that remembers nothing.
struct NoMemory: Storable {
  init() {}
  func store(in writer: inout StateWriter) {}
  init(from reader: inout StateReader) throws(StateError) {}
}
