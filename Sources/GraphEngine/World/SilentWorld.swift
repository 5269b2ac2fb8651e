package import GraphModel
package import Signals

/// A world without files, programs and events.
package final class SilentWorld: GraphWorld {
  package let buses: any BusWorld = SilentBuses()

  package init() {}

  package func contents(ofFile path: String, limit: Int) -> [UInt8]? { nil }
  package func write(_ writing: FileWriting) throws(SignalFailure) {}
  package func follow<Query: WorldQuery>(
    _ query: Query, from start: Query.Start, _ receive: @escaping (Query.Event) -> Void
  ) -> any Disposable { AnyDisposable {} }
  package func start(_ program: Program, _ receive: @escaping (ProgramEvent) -> Void) -> any RunningProgram {
    SilentProgram(receive)
  }
  package func log(_ message: String, signal: String) {}
}

/// A program that emits nothing until it is terminated.
private final class SilentProgram: RunningProgram {
  private let receive: (ProgramEvent) -> Void

  init(_ receive: @escaping (ProgramEvent) -> Void) { self.receive = receive }

  func terminate() { receive(.ended(.killed(15))) }
}
