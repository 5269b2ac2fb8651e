import GraphEngine
import GraphModel
import JSON
import Linux
import Signals

/// A program that is not run in a dry run: it ends at once, without output.
final class UnstartedProgram: RunningProgram {
  init(_ loop: EventLoop, _ receive: @escaping (ProgramEvent) -> Void) {
    loop.post { receive(.ended(.exited(0))) }
  }

  func terminate() {}
}

/// The message buses in a dry run: watched as ever, while calls and assignments are taken for done.
final class ReadOnlyBuses: BusWorld {
  private let buses: SystemBuses
  private let loop: EventLoop

  init(_ buses: SystemBuses, _ loop: EventLoop) {
    self.buses = buses
    self.loop = loop
  }

  func watch(_ properties: BusProperties, _ receive: @escaping (BusEvent) -> Void) -> any Disposable {
    buses.watch(properties, receive)
  }

  func listen(to signal: BusSignal, _ receive: @escaping (BusEvent) -> Void) -> any Disposable {
    buses.listen(to: signal, receive)
  }

  func call(
    _ method: BusMethod, with arguments: [JSONValue], _ receive: @escaping (BusAnswer) -> Void
  ) -> any Disposable { answer(receive) }

  func set(
    _ property: BusProperty, to value: JSONValue, _ receive: @escaping (BusAnswer) -> Void
  ) -> any Disposable { answer(receive) }

  private func answer(_ receive: @escaping (BusAnswer) -> Void) -> any Disposable {
    var isOver = false
    loop.post { if !isOver { receive(.returned([])) } }
    return AnyDisposable { isOver = true }
  }
}
