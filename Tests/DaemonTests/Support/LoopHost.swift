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

  /// - Parameter loop: The loop of a former daemon.
  init(configuration path: String, socket: String, loop: EventLoop? = nil) throws {
    self.socket = socket
    // As the program does it.
    CurrentProcess.ignoreBrokenPipes()
    let source = ConfigurationSource.alone(path)
    let configuration = try StoredConfiguration(reading: source)
    self.loop = try loop ?? EventLoop()
    daemon = try Daemon(
      configuration, from: source, socket: UnixListener(path: socket, mode: 0o600), loop: self.loop,
      log: Log(level: .debug, sink: log))
    try daemon.start()
  }

  func iteration() throws { try loop.runIteration(timeout: .milliseconds(1)) }
}

/// Stores log records.
final class MemoryLog: LogSink {
  private(set) var records: [LogRecord] = []

  func write(_ record: LogRecord) { records.append(record) }
}
