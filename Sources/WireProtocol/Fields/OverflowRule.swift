/// The thing that gives way when a client takes its events too slowly.
package enum OverflowRule: String, WordField {
  case dropOldest = "drop_oldest"
  case dropNewest = "drop_newest"
  /// Keeps the newest value of each signal: for state.
  case latest
  case disconnect
  /// The signal's senders wait; the signal must allow it with `backpressure: true`.
  case block
}
