package import ReactiveCore

/// The system around graphs, as far as they need it; the daemon gives the real one, tests a silent one.
///
/// It reports on the graphs' thread, between two turns and never before the call that asked has returned.
package protocol GraphWorld: AnyObject {
  /// The message buses.
  var buses: any BusWorld { get }

  /// The bytes of a file, or `nil` when it is missing, not regular, unreadable or longer than `limit`.
  ///
  /// It never blocks on a pipe or a device. Any problem but a missing file goes into the world's log.
  func contents(ofFile path: String, limit: Int) -> [UInt8]?

  /// Replaces a file's content in one step, or adds to it.
  ///
  /// - Throws: `file`, with what the system says.
  func write(_ writing: FileWriting) throws(SignalFailure)

  /// Tells whenever a file may have another content than before, until it is disposed of; the file may be missing.
  func watch(file path: String, _ changed: @escaping (ContentChange) -> Void) -> any Disposable

  /// Tells what is appended to a file, until it is disposed of; the file may be missing.
  ///
  /// - Parameter start: Where it is read from.
  func tail(
    file path: String, from start: TailStart, _ receive: @escaping (TailEvent) -> Void
  ) -> any Disposable

  /// Tells what is appended to all files whose names match a pattern, those that come later as well, until it is
  /// disposed of.
  ///
  /// - Parameters:
  ///   - pattern: A path whose last part is a pattern, as shells have them.
  ///   - start: Where they are read from.
  func tail(
    pattern: String, from start: GlobStart, _ receive: @escaping (GlobEvent) -> Void
  ) -> any Disposable

  /// Tells the entries of the journal of systemd that are asked for, until it is disposed of; a journal that is missing
  /// or cannot be read is waited for.
  ///
  /// - Parameter start: Where it is read from.
  func follow(
    _ query: SystemJournalQuery, from start: SystemJournalStart, _ receive: @escaping (SystemJournalEvent) -> Void
  ) -> any Disposable

  /// Runs a program in a process group of its own, with a clean environment, `/` as its directory and its stderr in
  /// the log.
  func start(_ program: Program, _ receive: @escaping (ProgramEvent) -> Void) -> any RunningProgram

  /// One line for the log, from a signal: something is not as it should be.
  func log(_ message: String, signal: String)

  /// One line for the log that a signal was asked to write.
  func trace(_ message: String, signal: String)

  /// The number of an attachment to what is outside, which stays the same when a signal goes on from a state.
  ///
  /// - Parameter earlier: The one that it had; 0 for none.
  func number(after earlier: UInt64) -> UInt64

  /// The world for an attachment of a number, where that matters.
  func numbered(_ number: UInt64) -> any GraphWorld
}

extension GraphWorld {
  package func trace(_ message: String, signal: String) { log(message, signal: signal) }
  package func number(after earlier: UInt64) -> UInt64 { earlier }
  package func numbered(_ number: UInt64) -> any GraphWorld { self }
}

/// How far somebody has come who changes a file.
package enum ContentChange: Sendable {
  /// Something was written, and more may follow: a file that is replaced in place is empty at first.
  case underWay
  /// The file was closed after writing, or came, went, or was replaced.
  case done
}

/// An event of a file that is followed.
package enum TailEvent: Equatable, Sendable {
  /// Bytes that were appended, cut anywhere.
  case appended([UInt8])
  /// Another file has taken its place: nothing more is appended to the one before.
  case rotated
  /// It was cut short: what follows begins a new line.
  case truncated
  /// All that was told so far reaches to here.
  case reached(TailPlace)
}
