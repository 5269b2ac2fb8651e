/// The coder of a record: encodes its fields or decodes them, in the order in which it is called with them.
///
/// A field of another module costs some 200 instructions more than a call of its `encode`, which types that are encoded
/// with each entry of a log, or by the hundred thousand, avoid.
package struct StateCoder<Record>: ~Copyable {
  fileprivate var encoder = StateEncoder()
  fileprivate var decoder: StateDecoder
  /// The record that is encoded, not copied; `nil` while one is decoded.
  private let original: UnsafePointer<Record>?

  fileprivate init(_ decoder: StateDecoder = StateDecoder([]), encoding original: UnsafePointer<Record>? = nil) {
    (self.decoder, self.original) = (decoder, original)
  }

  /// Codes a field that a record is made of.
  package mutating func callAsFunction<Field: StateCodable>(
    _ value: (Record) -> Field
  ) throws(StateError) -> Field {
    guard let original else { return try Field(from: &decoder) }
    let value = value(original.pointee)
    value.encode(to: &encoder)
    return value
  }

  /// Codes a field that is restored by more than an assignment.
  package mutating func callAsFunction<Field: StateCodable>(
    _ value: (Record) -> Field, restore: (Field) throws(StateError) -> Void
  ) throws(StateError) {
    if let original { value(original.pointee).encode(to: &encoder) } else { try restore(try Field(from: &decoder)) }
  }

  /// Codes a variable.
  package mutating func callAsFunction<Field: StateCodable>(_ field: inout Field) throws(StateError) {
    if original != nil { field.encode(to: &encoder) } else { field = try Field(from: &decoder) }
  }

  /// Codes a variable that restores itself.
  package mutating func callAsFunction<Field: StateRestorable>(_ field: inout Field) throws(StateError) {
    if original != nil { field.encode(to: &encoder) } else { try field.restore(from: &decoder) }
  }

  /// Codes an object that restores itself.
  package mutating func callAsFunction<Field: StateRestorable & AnyObject>(_ field: Field) throws(StateError) {
    var field = field
    try self(&field)
  }

  /// Codes a part that is restored later, by an object that is made then.
  package mutating func part(
    _ encode: (Record, inout StateEncoder) -> Void, restore: (StateDecoder) -> Void
  ) throws(StateError) {
    if let original { encoder.part { encode(original.pointee, &$0) } } else { restore(try decoder.part()) }
  }

  /// Rejects what was decoded if it does not satisfy a condition.
  package func require(_ condition: @autoclosure () -> Bool, _ message: String) throws(StateError) {
    if original == nil, !condition() { throw StateError(message) }
  }
}

/// A value whose state is that of its fields.
package protocol StateRecord: StateCodable {
  /// Makes the value of its fields.
  init(_ field: inout StateCoder<Self>) throws(StateError)
}

extension StateRecord {
  package func encode(to writer: inout StateEncoder) {
    writer.encode(self) { (field) throws(StateError) in _ = try Self(&field) }
  }

  package init(from reader: inout StateDecoder) throws(StateError) {
    var field = StateCoder<Self>(reader)
    try self.init(&field)
    reader.place = field.decoder.place
  }
}

/// A variable whose state is that of its fields.
package protocol StateFields: StateRestorable {
  /// Codes the fields.
  mutating func code(_ field: inout StateCoder<Self>) throws(StateError)
}

extension StateFields {
  package func encode(to writer: inout StateEncoder) {
    var copy = self
    writer.encode(self) { (field) throws(StateError) in try copy.code(&field) }
  }

  package mutating func restore(from reader: inout StateDecoder) throws(StateError) {
    var field = StateCoder<Self>(reader)
    try code(&field)
    reader.place = field.decoder.place
  }
}

extension StateFields where Self: AnyObject {
  package func restore(from reader: inout StateDecoder) throws(StateError) {
    var field = StateCoder<Self>(reader)
    var object = self
    try object.code(&field)
    reader.place = field.decoder.place
  }
}

extension StateEncoder {
  fileprivate mutating func encode<Record>(
    _ record: Record, _ code: (inout StateCoder<Record>) throws(StateError) -> Void
  ) {
    withUnsafePointer(to: record) { original in
      var field = StateCoder(encoding: original)
      swap(&self, &field.encoder)
      do throws(StateError) { try code(&field) } catch { preconditionFailure("no state: \(error.message)") }
      swap(&self, &field.encoder)
    }
  }
}
