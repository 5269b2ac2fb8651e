internal import Synchronization

/// The text of one valid JSON value, parsed at most once.
package final class RawJSON: Sendable {
  package let bytes: [UInt8]

  private final class Parsed: Sendable {
    let value: JSONValue
    init(_ value: JSONValue) { self.value = value }
  }

  // Of two threads that parse at once, the first to finish wins and both see its value.
  private let parsed = AtomicLazyReference<Parsed>()

  /// Takes over text that the parser has found valid.
  package init(validated bytes: [UInt8]) { self.bytes = bytes }

  /// The value, taken apart when it is first asked for.
  package var value: JSONValue {
    if let parsed = parsed.load() { return parsed.value }
    return parsed.storeIfNil(Parsed(Self.parse(bytes))).value
  }

  private static func parse(_ bytes: [UInt8]) -> JSONValue {
    do {
      return try JSONParser.value(onThisThread: bytes.span, maximumDepth: greatestMaximumDepth)
    } catch {
      preconditionFailure("text taken for valid JSON is not: \(error.message) at \(error.offset)")
    }
  }
}
