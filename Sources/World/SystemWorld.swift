package import GraphEngine
package import GraphModel
package import Linux
package import Signals

/// The system as the environment of the daemon's graphs.
package final class SystemWorld: GraphWorld {
  private let loop: EventLoop
  /// True if nothing outside may change: calls, messages and writes are taken for done.
  private let isDryRun: Bool
  private let logbook: Log
  private let signalLog: SignalLog
  /// The work for events of programs and files.
  package let work: CooperativeTasks
  private let programs: Programs
  /// The services that answer the queries of sources.
  private let services: SystemServices
  /// The message buses, for graphs and for the daemon's own signals.
  package let systemBuses: SystemBuses
  /// The peers on the network.
  package let systemNetwork: SystemNetwork
  /// The last report of each file that cannot be read, so that each is made once.
  private var complaints: [String: String] = [:]

  /// - Parameters:
  ///   - socket: The path of the daemon's socket, which tells it from others of the host.
  ///   - isDryRun: True if nothing outside may change: calls, messages and writes are taken for done.
  package init(loop: EventLoop, poller: Poller, log: Log, socket: String? = nil, isDryRun: Bool = false) throws(Errno) {
    self.loop = loop
    self.isDryRun = isDryRun
    logbook = log
    signalLog = try SignalLog(log, loop: loop)
    work = CooperativeTasks(loop: loop)
    programs = try Programs(loop: loop, poller: poller, work: work, log: signalLog)
    services = SystemServices(loop: loop, poller: poller, work: work, log: log, signalLog: signalLog)
    systemBuses = SystemBuses(loop: loop, poller: poller, work: work, log: log)
    systemNetwork = SystemNetwork(loop: loop, log: log, socket: socket, isDryRun: isDryRun)
  }

  package var buses: any BusWorld { isDryRun ? ReadOnlyBuses(systemBuses, loop) : systemBuses }
  package var network: any NetworkWorld { systemNetwork }

  /// Adopts the connections of a configuration, and its actions whose programs stay.
  package func apply(_ configuration: Configuration) {
    systemNetwork.apply(configuration)
    let actions = configuration.graphs.flatMap(\.actions)
    programs.endUndeclared(
      Dictionary(actions.compactMap { action in action.keptCommand.map { (action.name, $0) } }) { first, _ in first })
  }

  /// True while nothing runs that must be waited for.
  package var isQuiet: Bool { programs.isEmpty }

  /// Asks every program to end, and starts no more.
  ///
  /// The rest of their output is read, whatever it would have waited for: only then are they gone.
  package func end() {
    programs.end()
    work.isPaused = { _ in false }
    work.proceed()
  }

  /// Ends every program before the handover, within a short time.
  package func endForHandover(within patience: Duration) {
    programs.endAll(within: patience)
    systemBuses.close()
  }

  /// Kills every program, and stops following files and buses.
  package func close() {
    programs.killAll()
    systemBuses.close()
    systemNetwork.close()
    work.close()
  }

  // MARK: Files

  package func contents(ofFile path: String, limit: Int) -> [UInt8]? {
    do throws(FileError) {
      let bytes = try RegularFile.read(path, limit: limit)
      complaints[path] = nil
      return bytes
    } catch {
      let complaint = "\(error)"
      if !error.isMissingFile && complaints[path] != complaint {
        logbook.warning("cannot read a file: \(complaint)")
        complaints[path] = complaint
      }
      return nil
    }
  }

  package func write(_ writing: FileWriting) throws(SignalFailure) {
    if isDryRun { return logbook.info("dry run: \(writing.path) is not written") }
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
      throw SignalFailure(code: "file", message: "cannot write the file: \(error)")
    }
  }

  // MARK: Queries

  package func follow<Query: WorldQuery>(
    _ query: Query, from start: Query.Start, _ receive: @escaping (Query.Event) -> Void
  ) -> any Disposable {
    guard let query = query as? any SystemQuery<Query.Start, Query.Event> else {
      preconditionFailure("\(Query.self) is not answered by the system")
    }
    do throws(Errno) {
      return try query.follow(with: services, from: start, receive)
    } catch {
      logbook.error("cannot follow \(Query.name): \(error)")
      return AnyDisposable {}
    }
  }

  // MARK: Programs

  package func start(_ program: Program, _ receive: @escaping (ProgramEvent) -> Void) -> any RunningProgram {
    guard isDryRun, program.purpose != .source else { return programs.start(program, receive) }
    logbook.info("dry run: a program of \(program.owner) is not started", ("action", program.owner))
    return UnstartedProgram(loop, receive)
  }

  // MARK: Log

  package func log(_ message: String, signal: String) {
    signalLog.write(.warning, message, of: signal)
  }

  package func trace(_ message: String, signal: String) {
    signalLog.write(.info, message, of: signal)
  }
}
