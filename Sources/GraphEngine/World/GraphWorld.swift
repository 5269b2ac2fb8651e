package import GraphModel
package import ReactiveCore

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

  /// Replaces a file's content atomically, or appends to it.
  ///
  /// - Throws: `file`, with the system's message.
  func write(_ writing: FileWriting) throws(SignalFailure)

  /// Reports each possible change of a file's content, until disposed of; the file may be missing.
  func watch(file path: String, _ changed: @escaping (ContentChange) -> Void) -> any Disposable

  /// Delivers the bytes appended to a file, until disposed of; the file may be missing.
  ///
  /// - Parameters:
  ///   - owner: The signal that receives the events.
  ///   - start: The starting point.
  func tail(
    file path: String, for owner: String, from start: TailStart, _ receive: @escaping (TailEvent) -> Void
  ) -> any Disposable

  /// Delivers the bytes appended to all files whose names match a pattern, later ones included, until disposed of.
  ///
  /// - Parameters:
  ///   - pattern: A path whose last part is a shell pattern.
  ///   - owner: The signal that receives the events.
  ///   - start: The starting points.
  func tail(
    pattern: String, for owner: String, from start: GlobStart, _ receive: @escaping (GlobEvent) -> Void
  ) -> any Disposable

  /// Delivers the changes of the files below a folder, until disposed of; the folder may be missing.
  ///
  /// - Parameter known: The files known from an earlier watch, whose differences are delivered; `nil` for none.
  func watch(
    _ query: FolderQuery, from known: [FolderFile]?, _ receive: @escaping (FolderEvent) -> Void
  ) -> any Disposable

  /// Delivers the matching entries of the system journal, until disposed of; a missing or unreadable journal is waited
  /// for.
  ///
  /// - Parameter start: The starting point.
  func follow(
    _ query: SystemJournalQuery, from start: SystemJournalStart, _ receive: @escaping (SystemJournalEvent) -> Void
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
  package func watch(
    _ query: FolderQuery, from known: [FolderFile]?, _ receive: @escaping (FolderEvent) -> Void
  ) -> any Disposable { AnyDisposable {} }
  package func trace(_ message: String, signal: String) { log(message, signal: signal) }
  package func number(after earlier: UInt64) -> UInt64 { earlier }
  package func numbered(_ number: UInt64) -> any GraphWorld { self }
}

/// The progress of a change to a file.
package enum ContentChange: Sendable {
  /// Content was written, and more may follow: a file that is replaced in place is empty at first.
  case underWay
  /// The file was closed after writing, created, removed or replaced.
  case done
}

/// An event of a followed file.
package enum TailEvent: Equatable, Sendable {
  /// Appended bytes, cut anywhere.
  case appended([UInt8])
  /// Another file has taken its place; nothing more is appended to the old one.
  case rotated
  /// It was truncated: the following bytes begin a new line.
  case truncated
  /// The events so far reach up to this place.
  case reached(TailPlace)
}
