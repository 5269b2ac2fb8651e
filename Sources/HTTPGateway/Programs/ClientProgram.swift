internal import Linux

/// The client program, which reads the folder of durable graphs for the gateway, so that the gateway needs no SQLite.
///
/// A few of them run at a time, each with limits on time and output; one that exceeds them is killed.
final class ClientProgram {
  struct Limits {
    /// The most runs at a time.
    var runs = 2
    var time = Duration.seconds(10)
    /// The most bytes of its standard output.
    var output = 4 << 20
  }

  private static let name = "signalbox"
  /// Its environment: the library path that this program was started with.
  private static let environment = CurrentProcess.environment("LD_LIBRARY_PATH").map { ["LD_LIBRARY_PATH=\($0)"] } ?? []

  private let path: String?
  private let limits: Limits
  private let loop: EventLoop
  private let poller: Poller
  private var runs: [ObjectIdentifier: ClientRun] = [:]

  /// - Parameter path: Its file; by default the one beside this program, otherwise the system's.
  init(path: String? = nil, limits: Limits = Limits(), loop: EventLoop, poller: Poller) {
    self.path = path ?? Self.found
    self.limits = limits
    self.loop = loop
    self.poller = poller
  }

  private static var found: String? {
    let beside = CurrentProcess.programBeside(name)
    return ProgramFile.isRunnable(beside) ? beside : try? ProgramFile.path(of: name)
  }

  /// The number of its processes, including killed ones that have not ended yet.
  var count: Int { runs.count }

  /// Starts a run and reports its outcome later, unless it is cancelled first.
  func run(
    _ arguments: [String], _ ended: @escaping (Result<ClientRun.Outcome, ClientRun.Failure>) -> Void
  ) throws(ClientRun.Failure) -> ClientRun {
    guard let path else { throw .missing(Self.name) }
    if runs.count >= limits.runs { throw .busy }
    do throws(Errno) {
      let child = try ChildProcess([path] + arguments, environment: Self.environment, input: [])
      let run = try ClientRun(child, limits, loop: loop, poller: poller, ended)
      runs[ObjectIdentifier(run)] = run
      run.over = { [unowned self] run in runs[ObjectIdentifier(run)] = nil }
      return run
    } catch { throw .notStarted(error) }
  }

  /// Kills all runs without reporting an outcome.
  func stop() { runs = [:] }
}
