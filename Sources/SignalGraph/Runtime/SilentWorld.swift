import ReactiveCore

/// A world without files, programs and events.
final class SilentWorld: GraphWorld {
  let buses: any BusWorld = SilentBuses()

  func contents(ofFile path: String, limit: Int) -> [UInt8]? { nil }
  func write(_ writing: FileWriting) throws(SignalFailure) {}
  func watch(file path: String, _ changed: @escaping (ContentChange) -> Void) -> any Disposable { AnyDisposable {} }
  func tail(
    file path: String, from start: TailStart, _ receive: @escaping (TailEvent) -> Void
  ) -> any Disposable { AnyDisposable {} }
  func tail(
    pattern: String, from start: GlobStart, _ receive: @escaping (GlobEvent) -> Void
  ) -> any Disposable { AnyDisposable {} }
  func follow(
    _ query: SystemJournalQuery, from start: SystemJournalStart, _ receive: @escaping (SystemJournalEvent) -> Void
  ) -> any Disposable { AnyDisposable {} }
  func start(_ program: Program, _ receive: @escaping (ProgramEvent) -> Void) -> any RunningProgram {
    SilentProgram(receive)
  }
  func log(_ message: String, signal: String) {}
}

/// A program that emits nothing until it is terminated.
private final class SilentProgram: RunningProgram {
  private let receive: (ProgramEvent) -> Void

  init(_ receive: @escaping (ProgramEvent) -> Void) { self.receive = receive }

  func terminate() { receive(.ended(.killed(15))) }
}
