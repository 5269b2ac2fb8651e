package import GraphModel
package import Signals

/// The system as graphs use it; the daemon provides the real one, tests a silent one.
///
/// Callbacks run on the graphs' thread, between two turns and never before the requesting call has returned.
package protocol GraphWorld: AnyObject {
  /// The message buses.
  var buses: any BusWorld { get }

  /// The peers on the network.
  var network: any NetworkWorld { get }

  /// Returns the bytes of a file, or `nil` when it is missing, not regular, unreadable or longer than `limit`.
  ///
  /// It never blocks on a pipe or a device. Any problem but a missing file is logged by the world.
  func contents(ofFile path: String, limit: Int) -> [UInt8]?

  /// Returns the bytes of a file as they are once it has the content that was last given to `write`; where a world defers
  /// that, the file may still have an earlier one.
  func contents(ofWrittenFile path: String, limit: Int) -> [UInt8]?

  /// Replaces a file's content atomically, or appends to it.
  ///
  /// - Throws: `file`, with the system's message.
  func write(_ writing: FileWriting) throws(SignalFailure)

  /// Delivers the events of something outside, until disposed of.
  func follow<Query: WorldQuery>(
    _ query: Query, from start: Query.Start, _ receive: @escaping (Query.Event) -> Void
  ) -> any Disposable

  /// Runs a program in a process group of its own, with a clean environment, `/` as its directory and its stderr in the
  /// log.
  func start(_ program: Program, _ receive: @escaping (ProgramEvent) -> Void) -> any RunningProgram

  /// Logs a warning from a signal.
  func log(_ message: String, signal: String)

  /// Logs a line that a signal was asked to write.
  func trace(_ message: String, signal: String)

  /// Returns the number of an attachment to the outside, which stays the same when a signal resumes from a state.
  ///
  /// - Parameter earlier: Its earlier number; 0 for none.
  func number(after earlier: UInt64) -> UInt64

  /// Returns the world for the attachment with a number, where that matters.
  func numbered(_ number: UInt64) -> any GraphWorld
}

extension GraphWorld {
  package var network: any NetworkWorld { SilentNetwork() }
  package func follow<Query: WorldQuery<Void, Event>, Event>(
    _ query: Query, _ receive: @escaping (Event) -> Void
  ) -> any Disposable { follow(query, from: (), receive) }
  package func contents(ofWrittenFile path: String, limit: Int) -> [UInt8]? { contents(ofFile: path, limit: limit) }
  package func trace(_ message: String, signal: String) { log(message, signal: signal) }
  package func number(after earlier: UInt64) -> UInt64 { earlier }
  package func numbered(_ number: UInt64) -> any GraphWorld { self }
}
