import Daemon
import GraphModel
import Linux
import Persistence

/// A daemon in this process, on a loop that the test runs.
final class LoopHost: Host {
  let socket: String
  let isProcess = false
  let loop: EventLoop
  let daemon: Daemon
  let log = MemoryLog()

  /// - Parameters:
  ///   - loop: The loop of a former daemon.
  ///   - streams: The beginning of the paths of folders that take the place of streams.
  init(configuration path: String, socket: String, loop: EventLoop? = nil, streams: String? = nil) throws {
    self.socket = socket
    // As the program does it.
    CurrentProcess.ignoreBrokenPipes()
    let source = ConfigurationSource.alone(path)
    let configuration = try StoredConfiguration(reading: source)
    self.loop = try loop ?? EventLoop()
    daemon = try Daemon(
      configuration, from: source, socket: UnixListener(path: socket, mode: 0o600), loop: self.loop,
      log: Log(level: .debug, sink: log),
      stateFolder: { home, configuration throws(StartFailure) in
        guard case .stream(let graph, _) = home, let streams else {
          return try StateChoice.folder(of: home, configuration)
        }
        return "\(streams)-\(graph)"
      })
    try daemon.start()
  }

  func iteration() throws { try loop.runIteration(timeout: .milliseconds(1)) }
}

/// Stores log records.
final class MemoryLog: LogSink {
  private(set) var records: [LogRecord] = []

  func write(_ record: LogRecord) { records.append(record) }
}
