import ReactiveCore

/// How often a call that has failed is tried again, and after which pauses.
struct CallRetry: ParameterValue {
  let times: Int
  let delay: Duration
  /// The factor by which the pause grows each time.
  let factor: Double

  static let meaning = "tries again before a call counts as failed: {times, delay, factor}, the delay 1s, the factor 1"

  static var typeName: String { "a number of times, or {times, delay, factor}" }
  static var shape: ParameterShape { .callRetry }
  var defaultText: String? { nil }

  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> CallRetry? {
    guard node.entries != nil else {
      return reading.reader(node).int(in: 1...100_000).map {
        CallRetry(times: $0, delay: .seconds(1), factor: 1)
      }
    }
    guard let mapping = reading.reader(node).mapping() else { return nil }
    let times = mapping.required("times").map { $0.int(in: 1...100_000) }
    let delay = mapping.optional("delay").map { $0.duration(in: .zero...DurationText.longest) } ?? .seconds(1)
    let factor =
      mapping.optional("factor").map { factor in factor.number().flatMap { factor.within(1...1000, $0) { "\($0)" } } }
      ?? 1
    mapping.finish()
    guard let times, let times, let delay, let factor else { return nil }
    return CallRetry(times: times, delay: delay, factor: factor)
  }
}
