package import JSON
package import ReactiveCore

/// Buses around graphs, as far as they need them.
///
/// Everything is told between two turns, never before the call that asked has returned, and nothing after what it
/// returned was disposed of. A bus that is away is tried again and again, and the log says so once.
package protocol BusWorld: AnyObject {
  /// Tells the values of properties, first as they are and then as they change, until it is disposed of.
  func watch(_ properties: BusProperties, _ receive: @escaping (BusEvent) -> Void) -> any Disposable

  /// Tells each emission of a signal, until it is disposed of.
  func listen(to signal: BusSignal, _ receive: @escaping (BusEvent) -> Void) -> any Disposable

  /// Calls a method once, with a bound on the time that it takes; disposing of it means that nobody wants the answer.
  func call(
    _ method: BusMethod, with arguments: [JSONValue], _ receive: @escaping (BusAnswer) -> Void
  ) -> any Disposable

  /// Sets a property; who watches it is told by the service.
  ///
  /// - Parameter receive: Told of no values once it has been set.
  func set(
    _ property: BusProperty, to value: JSONValue, _ receive: @escaping (BusAnswer) -> Void
  ) -> any Disposable
}
