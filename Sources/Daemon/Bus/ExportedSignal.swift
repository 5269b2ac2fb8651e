import JSON
import SignalGraph

/// A signal that is an object on the bus.
final class ExportedSignal {
  /// A value with its number.
  typealias Numbered = (value: Payload, sequence: UInt64)

  /// The events that are told.
  enum Event {
    case value(Numbered)
    /// It has ended, or started anew.
    case turned
  }

  let name: String
  let path: String
  /// The last value that was heard, for a signal that holds none itself.
  var last: Numbered?
  /// Whether its end has been heard.
  var hasEnded = false

  init(_ name: String) {
    self.name = name
    path = ObjectPath.path(of: name)
  }
}
