internal import Linux

/// The client program, which looks into the folder of durable graphs for the gateway, so that the gateway needs no SQLite.
///
/// A few of it run at a time, each with a bound of its time and of its output; one that goes beyond is killed.
final class ClientProgram {
  struct Limits {
    /// How many run at a time.
    var runs = 2
    var time = Duration.seconds(10)
    /// The bytes of its standard output.
    var output = 4 << 20
  }

  private static let name = "signalbox"
  /// Its environment: where the libraries are that this program was started with.
  private static let environment = CurrentProcess.environment("LD_LIBRARY_PATH").map { ["LD_LIBRARY_PATH=\($0)"] } ?? []

  private let path: String?
  private let limits: Limits
  private let loop: EventLoop
  private let poller: Poller
  private var runs: [ObjectIdentifier: ClientRun] = [:]

  /// - Parameter path: Its file; without it, the one beside this program, else the system's.
  init(path: String? = nil, limits: Limits = Limits(), loop: EventLoop, poller: Poller) {
    self.path = path ?? Self.found
    self.limits = limits
    self.loop = loop
    self.poller = poller
  }

  private static var found: String? {
    if let folder = CurrentProcess.folder, ProgramFile.isRunnable("\(folder)/\(name)") { return "\(folder)/\(name)" }
    return try? ProgramFile.path(of: name)
  }

  /// The number of its processes, also of those that were killed and have not ended yet.
  var count: Int { runs.count }

  /// Starts it, and tells later how it went, unless the run is cancelled before.
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

  /// Kills all of them; nobody is told.
  func stop() { runs = [:] }
}
