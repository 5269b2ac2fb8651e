/// The parameters that messages of all kinds of peers have.
package enum MessageParameters {
  /// The format of those that arrive.
  package static let format = Parameter<LineFormat?>(
    "format", "the format of a payload; without it, JSON if it can be read so, else text", .free, initial: .some(nil))

  /// The payload of those that a signal publishes.
  static let payload = Parameter<GraphExpression?>(
    "payload", "makes the payload of the value: a text as it is, others as JSON", initial: .some(nil))

  // The bounds of those that wait to be published.

  static let limit = Parameter<Int>(
    "limit", "how many messages may wait", initial: PublicationQueueSettings.defaultLimit, minimum: 1)

  static let overflow = Parameter<PublicationOverflow>(
    "overflow", "at the limit: drop the oldest or newest message, or block, which has senders wait",
    initial: .dropOldest)
}
