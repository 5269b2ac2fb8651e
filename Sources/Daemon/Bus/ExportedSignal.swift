import JSON
import World

/// A signal that is exported as an object on the bus.
final class ExportedSignal {
  /// A value with its sequence number.
  typealias Numbered = (value: Payload, sequence: UInt64)

  /// The events that are published.
  enum Event {
    case value(Numbered)
    /// The signal has ended or restarted.
    case turned
  }

  let name: String
  let path: String
  /// The last value, for a signal that retains none itself.
  var last: Numbered?
  /// True once its end has been received.
  var hasEnded = false

  init(_ name: String) {
    self.name = name
    path = ObjectPath.path(of: name)
  }
}
