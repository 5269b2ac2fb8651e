/// The answer of the servers to the question for the stream of a log.
package enum StreamReport: Equatable, Sendable {
  /// There is no such stream.
  case missing
  /// - Parameters:
  ///   - created: The time of its creation, in the servers' own form: one that is created again has another one.
  ///   - last: The sequence of its last record.
  case stream(created: String, last: UInt64)
}
