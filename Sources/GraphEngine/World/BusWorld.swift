package import GraphModel
package import JSON
package import Signals

/// The message buses that graphs use.
///
/// Callbacks run between two turns, never before the requesting call has returned, and not once its result was disposed
/// of. An unreachable bus is retried without end, and the log reports it once.
package protocol BusWorld: AnyObject {
  /// Delivers the values of properties, first the present ones and then each change, until disposed of.
  func watch(_ properties: BusProperties, _ receive: @escaping (BusEvent) -> Void) -> any Disposable

  /// Delivers each emission of a signal, until disposed of.
  func listen(to signal: BusSignal, _ receive: @escaping (BusEvent) -> Void) -> any Disposable

  /// Calls a method once, with a time limit; disposing of the call discards the answer.
  func call(
    _ method: BusMethod, with arguments: [JSONValue], _ receive: @escaping (BusAnswer) -> Void
  ) -> any Disposable

  /// Sets a property; the service notifies its watchers.
  ///
  /// - Parameter receive: Receives an empty list of values once the property is set.
  func set(
    _ property: BusProperty, to value: JSONValue, _ receive: @escaping (BusAnswer) -> Void
  ) -> any Disposable
}
