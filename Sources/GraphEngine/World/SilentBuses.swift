package import GraphModel
package import JSON
package import Signals

/// Buses without services and events.
package final class SilentBuses: BusWorld {
  package init() {}

  package func watch(_ properties: BusProperties, _ receive: @escaping (BusEvent) -> Void) -> any Disposable {
    AnyDisposable {}
  }

  package func listen(to signal: BusSignal, _ receive: @escaping (BusEvent) -> Void) -> any Disposable {
    AnyDisposable {}
  }

  package func call(
    _ method: BusMethod, with arguments: [JSONValue], _ receive: @escaping (BusAnswer) -> Void
  ) -> any Disposable { AnyDisposable {} }

  package func set(
    _ property: BusProperty, to value: JSONValue, _ receive: @escaping (BusAnswer) -> Void
  ) -> any Disposable { AnyDisposable {} }
}
