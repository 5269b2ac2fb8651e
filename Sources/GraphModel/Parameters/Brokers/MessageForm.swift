/// The form of the values of a source of messages.
package enum MessageForm: String, WordParameter {
  /// The payload by itself.
  case payload
  /// An object with the payload and what the broker tells beside it.
  case message
}
