import Base

/// The bounds of a list of values that one call takes together.
package struct CallBatch: ParameterValue {
  /// The most values.
  package let count: Int
  /// The longest time that the first value waits for others.
  package let time: Duration?
  /// The most bytes of the values as JSON.
  package let bytes: Int

  static let greatestCount = 100_000
  private static let defaultBytes = 512 << 10

  package static var typeName: String { "{count, time, bytes}" }
  package static var shape: ParameterShape { .callBatch }
  package var defaultText: String? { nil }

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> CallBatch? {
    guard let mapping = reading.reader(node).mapping(of: ["count", "time", "bytes"]) else { return nil }
    let errors = mapping.problems.errorCount
    let count = mapping.optional("count")?.int(in: 1...greatestCount)
    let time = mapping.optional("time")?.duration(in: .milliseconds(1)...DurationText.longest)
    let bytes = mapping.optional("bytes")?.size(in: 1...reading.reader.context.valueLimit)
    guard mapping.problems.errorCount == errors else { return nil }
    guard count != nil || time != nil || bytes != nil else {
      reading.reader.problems.error(
        "a batch ends at a count, at a time or at so many bytes: give one of these", at: node)
      return nil
    }
    return CallBatch(count: count ?? greatestCount, time: time, bytes: bytes ?? defaultBytes)
  }
}
