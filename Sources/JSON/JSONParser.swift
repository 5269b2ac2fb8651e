internal import CSimdjson

/// A parser with buffers of its own, for one owner at a time.
///
/// A valid text takes one pass. Only a refused one is read again, to find the fault.
package struct JSONParser: ~Copyable {
  private let parser: OpaquePointer

  /// Allocates the buffers; they grow with the longest text and shrink after an unusually long one.
  package init() {
    guard let parser = csimdjson_create() else { preconditionFailure("out of memory for a JSON parser") }
    self.parser = parser
  }

  deinit { csimdjson_destroy(parser) }

  /// The value of a text.
  package mutating func value(
    of text: Span<UInt8>, maximumDepth: Int = defaultMaximumDepth
  ) throws(JSONError) -> JSONValue {
    try Self.value(of: text, maximumDepth: maximumDepth, with: parser)
  }

  /// Parses a text with buffers of the calling thread: for callers without a parser of their own, and without a lock.
  package static func value(
    onThisThread text: Span<UInt8>, maximumDepth: Int = defaultMaximumDepth
  ) throws(JSONError) -> JSONValue {
    guard let parser = csimdjson_of_this_thread() else { preconditionFailure("out of memory for a JSON parser") }
    return try value(of: text, maximumDepth: maximumDepth, with: parser)
  }

  private static func value(
    of text: Span<UInt8>, maximumDepth: Int, with parser: OpaquePointer
  ) throws(JSONError) -> JSONValue {
    let document = text.withUnsafeBufferPointer { csimdjson_parse(parser, $0.baseAddress, $0.count, maximumDepth) }
    defer { csimdjson_trim(parser) }
    guard document.status == CSIMDJSON_OK else { throw text.fault(maximumDepth: maximumDepth) }
    var builder = DocumentBuilder(document)
    let value = builder.value()
    guard builder.deepest <= maximumDepth else { throw text.fault(maximumDepth: maximumDepth) }
    return value
  }

  /// Returns true if a text is one value, nested at most `maximumDepth` deep including the `levels` around it.
  ///
  /// - Parameter outline: receives the notes to store with the text, for `RawJSON`.
  package mutating func isValue(
    _ text: Span<UInt8>, within levels: Int = 0, maximumDepth: Int = defaultMaximumDepth, outline: inout Outline
  ) -> Bool {
    Self.isValue(text, within: levels, maximumDepth: maximumDepth, outline: &outline, with: parser)
  }

  /// Validates a text with buffers of the calling thread, with the maximum depth of any value.
  static func isValue(onThisThread text: Span<UInt8>, outline: inout Outline) -> Bool {
    guard let parser = csimdjson_of_this_thread() else { preconditionFailure("out of memory for a JSON parser") }
    return isValue(text, within: 0, maximumDepth: greatestMaximumDepth, outline: &outline, with: parser)
  }

  private static func isValue(
    _ text: Span<UInt8>, within levels: Int, maximumDepth: Int, outline: inout Outline, with parser: OpaquePointer
  ) -> Bool {
    if PlainValue.fills(text, maximumDepth: maximumDepth - levels, outline: &outline) { return true }
    let document = text.withUnsafeBufferPointer { csimdjson_parse(parser, $0.baseAddress, $0.count, maximumDepth) }
    defer { csimdjson_trim(parser) }
    guard document.status == CSIMDJSON_OK else { return false }
    let allowed = maximumDepth - levels
    // Each level takes at least two bytes: most texts are too short to be too deep.
    return text.count / 2 <= allowed || document.depth(ofText: text.count) <= allowed
  }

  /// Validates a text that must be one object and finds the places of its members, without parsing values.
  ///
  /// - Returns: true if the text is an object; `members` is empty for any other value.
  package mutating func readMembers(
    of text: Span<UInt8>, into members: inout [JSONMember], maximumDepth: Int = defaultMaximumDepth
  ) throws(JSONError) -> Bool {
    try Self.readMembers(of: text, into: &members, maximumDepth: maximumDepth, with: parser)
  }

  /// Finds the places of the members of an object with buffers of the calling thread.
  package static func readMembers(
    onThisThread text: Span<UInt8>, into members: inout [JSONMember], maximumDepth: Int
  ) throws(JSONError) -> Bool {
    guard let parser = csimdjson_of_this_thread() else { preconditionFailure("out of memory for a JSON parser") }
    return try readMembers(of: text, into: &members, maximumDepth: maximumDepth, with: parser)
  }

  private static func readMembers(
    of text: Span<UInt8>, into members: inout [JSONMember], maximumDepth: Int, with parser: OpaquePointer
  ) throws(JSONError) -> Bool {
    members.removeAll(keepingCapacity: true)
    let object = text.withUnsafeBufferPointer {
      csimdjson_parse_object(parser, $0.baseAddress, $0.count, maximumDepth)
    }
    if object.status == CSIMDJSON_NOT_AN_OBJECT { return false }
    defer { csimdjson_trim(parser) }
    guard object.status == CSIMDJSON_OK else { throw text.fault(maximumDepth: maximumDepth) }
    for member in UnsafeBufferPointer(start: object.members, count: Int(object.count)) {
      members.append(JSONMember(member))
    }
    return true
  }
}

// The parser, which cannot be copied, is the only owner of the buffers.
extension JSONParser: @unchecked Sendable {}

/// The default maximum nesting.
package let defaultMaximumDepth = 128

/// The greatest allowed maximum nesting: values are built and written recursively.
package let greatestMaximumDepth = 4096

extension csimdjson_document {
  /// The depth of nesting of a valid text.
  fileprivate func depth(ofText length: Int) -> Int {
    var (open, deepest, index) = (0, 0, 0)
    while Int(structurals[index]) < length {
      switch text[Int(structurals[index])] {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        open += 1
        deepest = max(deepest, open)
      case UInt8(ascii: "}"), UInt8(ascii: "]"): open -= 1
      default: break
      }
      index += 1
    }
    return deepest
  }
}

extension Span<UInt8> {
  fileprivate func fault(maximumDepth: Int) -> JSONError {
    withUnsafeBufferPointer { JSONDiagnosis.fault(in: $0, maximumDepth: maximumDepth) }
  }
}
