import Linux
import ReactiveCore
import SignalGraph

/// The real world, for graphs that run in the daemon.
final class SystemWorld: GraphWorld {
  private let logbook: Log
  private let signalLog: SignalLog
  /// The reports of programs and files.
  let work: Piecework
  private let programs: Programs
  private let files: FollowedFiles
  /// The message buses, for graphs and for the daemon's own signals.
  let systemBuses: SystemBuses
  private let journals: FollowedJournals
  /// The last report of a file that cannot be read, so that each is made once.
  private var complaints: [String: String] = [:]

  init(loop: EventLoop, poller: Poller, log: Log) throws(Errno) {
    logbook = log
    signalLog = try SignalLog(log, loop: loop)
    work = Piecework(loop: loop)
    programs = try Programs(loop: loop, poller: poller, work: work, log: signalLog)
    files = FollowedFiles(poller: poller, work: work, log: log)
    systemBuses = SystemBuses(loop: loop, poller: poller, work: work, log: log)
    journals = try FollowedJournals(loop: loop, poller: poller, work: work, log: signalLog)
  }

  var buses: any BusWorld { systemBuses }

  /// Whether nothing runs that would have to be waited for.
  var isQuiet: Bool { programs.isEmpty }

  /// Ends every program; none is started from now on.
  func end() { programs.end() }

  /// Ends every program before this process hands over, in a short time.
  func endForHandover(within patience: Duration) {
    programs.endAll(within: patience)
    systemBuses.close()
  }

  /// Kills every program, and hears nothing more of files and buses.
  func close() {
    programs.killAll()
    systemBuses.close()
    work.close()
  }

  // MARK: Files

  func contents(ofFile path: String, limit: Int) -> [UInt8]? {
    do throws(FileError) {
      let bytes = try RegularFile.read(path, limit: limit)
      complaints[path] = nil
      return bytes
    } catch {
      let complaint = "\(error)"
      if !error.isMissingFile && complaints[path] != complaint {
        logbook.warning("a file cannot be read: \(complaint)")
        complaints[path] = complaint
      }
      return nil
    }
  }

  func write(_ writing: FileWriting) throws(SignalFailure) {
    do throws(FileError) {
      switch (writing.path, writing.isAppended) {
      case (.absolute(let path), false): try RegularFile.write(writing.content, to: path)
      case (.absolute(let path), true): try RegularFile.append(writing.content, to: path)
      case (.below(let folder, let name), false):
        try ConfinedFile(name, below: folder).write(writing.content)
      case (.below(let folder, let name), true):
        try ConfinedFile(name, below: folder).append(writing.content)
      }
    } catch {
      throw SignalFailure(code: "file", message: "the file cannot be written: \(error)")
    }
  }

  func watch(file path: String, _ changed: @escaping (ContentChange) -> Void) -> any Disposable {
    files.watch(path, changed)
  }

  func tail(
    file path: String, from start: TailStart, _ receive: @escaping (TailEvent) -> Void
  ) -> any Disposable {
    files.tail(path, from: start, receive)
  }

  func tail(
    pattern: String, from start: GlobStart, _ receive: @escaping (GlobEvent) -> Void
  ) -> any Disposable {
    files.tail(pattern: pattern, from: start, receive)
  }

  func follow(
    _ query: SystemJournalQuery, from start: SystemJournalStart, _ receive: @escaping (SystemJournalEvent) -> Void
  ) -> any Disposable {
    journals.follow(query, from: start, receive)
  }

  // MARK: Programs

  func start(_ program: Program, _ receive: @escaping (ProgramEvent) -> Void) -> any RunningProgram {
    programs.start(program, receive)
  }

  // MARK: Log

  func log(_ message: String, signal: String) {
    signalLog.write(.warning, message, of: signal)
  }

  func trace(_ message: String, signal: String) {
    signalLog.write(.info, message, of: signal)
  }
}
