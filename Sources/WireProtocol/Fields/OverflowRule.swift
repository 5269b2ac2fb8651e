/// The overflow policy for a client that reads its events too slowly.
package enum OverflowRule: String, WordField {
  case dropOldest = "drop_oldest"
  case dropNewest = "drop_newest"
  /// Keeps the newest value of each signal: for state.
  case latest
  case disconnect
  /// Pauses the signal's senders; the signal must allow that with `backpressure: true`.
  case block
}
