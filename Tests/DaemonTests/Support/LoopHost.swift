import Daemon
import Linux
import Persistence
import SignalGraph

/// A daemon in this process, whose loop the test turns.
final class LoopHost: Host {
  let socket: String
  let isProcess = false
  let loop: EventLoop
  let daemon: Daemon
  let log = MemoryLog()

  init(configuration path: String, socket: String) throws {
    self.socket = socket
    let source = ConfigurationSource.alone(path)
    let configuration = try StoredConfiguration(reading: source)
    loop = try EventLoop()
    daemon = try Daemon(
      configuration, from: source, socket: UnixListener(path: socket, mode: 0o600), loop: loop,
      log: Log(level: .debug, sink: log))
    try daemon.start()
  }

  func turn() throws { try loop.turn(timeout: .milliseconds(1)) }
}

/// Keeps what is logged.
final class MemoryLog: LogSink {
  private(set) var records: [LogRecord] = []

  func write(_ record: LogRecord) { records.append(record) }
}
