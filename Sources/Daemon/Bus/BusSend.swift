import JSON
import Linux

/// A value that a client on the bus sends to a signal, and the call to be answered.
final class BusSend {
  /// The charge for the call itself, in bytes.
  private static let overhead = 512

  let signal: String
  let value: JSONValue
  let call: BusMessage
  /// The charge to its user, in bytes.
  let charge: Int

  init(_ value: JSONValue, to signal: String, _ call: borrowing BusMessage) {
    self.value = value
    self.signal = signal
    self.call = call.copy()
    charge = Self.overhead + value.description.utf8.count
  }
}
