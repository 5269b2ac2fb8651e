import Base
package import GraphModel
import JSON
package import Linux
package import WireProtocol

/// The process that speaks with the servers of NATS for the daemon: `signalbox-bridge` at one end of a socket pair.
///
/// It is started again when it ends, and everything that was under way is then lost, as with a lost connection.
package final class RelayProcess {
  private static let pauses = Duration.milliseconds(100)...Duration.seconds(5)
  private static let chunkSize = 256 << 10
  /// The most bytes that wait for a relay that does not read: the longest frame, and as much as is under way otherwise.
  private static let mostUnsent = RelayFrame.longest + 64 << 20

  /// Called with each change of the connection: the address of the server, or the reason that there is none.
  package var onState: (Result<String, Away>) -> Void = { _ in }
  /// Called with each message, and the number of its subscription.
  package var onMessage: (UInt32, RelayMessage) -> Void = { _, _ in }
  package private(set) var restarts = 0

  package struct Away: Error { package let reason: String }

  private let connection: PeerConnection
  private let poller: Poller
  private let clock: IterationClock
  private let log: Log
  private var run: Run?
  private var unsent: [UInt8] = []
  private var sentCount = 0
  private var timer: IterationTimer?
  private var pause = pauses.lowerBound
  private var isOver = false

  /// One run of the program.
  private final class Run {
    let process: BridgeProcess
    let socket: OwnedDescriptor
    var reader = RelayFrameReader()
    var reading: PollHandler?
    var flushing: PollHandler?

    init(poller: Poller, log: Log) throws(Errno) {
      let (own, other) = try UnixSocket.pair().take()
      socket = OwnedDescriptor(owning: own)
      let passed = OwnedDescriptor(owning: other)
      try socket.setBlocking(false)
      process = try BridgeProcess("relay", passing: passed, variable: "SIGNALBOX_RELAY_FD", poller: poller, log: log)
    }
  }

  package init(_ connection: PeerConnection, poller: Poller, clock: IterationClock, log: Log) {
    (self.connection, self.poller, self.clock, self.log) = (connection, poller, clock, log)
  }

  package func start() {
    guard run == nil, !isOver else { return }
    do throws(Errno) { try begin() } catch {
      log.error("the relay of the cluster cannot be started: \(error)")
      startLater()
    }
  }

  private func begin() throws(Errno) {
    let run = try Run(poller: poller, log: log)
    run.reading = try PollHandler(poller, readable: run.socket.number) { [unowned self] in read() }
    self.run = run
    (unsent, sentCount) = ([], 0)
    let settings: JSONValue = [
      "connection": .string(connection.name), "kind": .string(connection.kind.rawValue),
      "settings": .object(connection.settings),
    ]
    send(.connect(Array(settings.description.utf8)))
    flush()
  }

  // MARK: Frames

  /// Enqueues a frame, which `flush` writes.
  ///
  /// Without a process it is lost.
  package func send(_ frame: RelayFrame) { if run != nil { frame.append(to: &unsent) } }

  package func flush() {
    guard let run, sentCount < unsent.count else { return }
    guard unsent.count - sentCount <= Self.mostUnsent else {
      log.error("the relay of the cluster does not read: \(unsent.count - sentCount) bytes wait for it")
      return lose()
    }
    let result: Result<WriteResult, Errno> = unsent.withUnsafeBytes { bytes in
      do throws(Errno) {
        return .success(try run.socket.transfer.send(UnsafeRawBufferPointer(rebasing: bytes[sentCount...])))
      } catch { return .failure(error) }
    }
    switch result {
    case .success(.bytes(let count)):
      sentCount += count
      if sentCount < unsent.count { return flush() }
      unsent.removeAll(keepingCapacity: unsent.count <= Self.chunkSize)
      sentCount = 0
      run.flushing = nil
    case .success(.wouldBlock):
      guard run.flushing == nil else { return }
      run.flushing = try? PollHandler(poller, writable: run.socket.number) { [unowned self] in flush() }
    case .failure: lose()
    }
  }

  /// Waits for frames for some time, and handles those that come.
  package func wait(_ time: Duration) {
    guard let run else { return }
    flush()
    guard let found = try? run.socket.transfer.wait(for: .readable, timeout: time), !found.isEmpty else { return }
    read()
  }

  private func read() {
    guard let run else { return }
    do {
      guard let bytes = try run.socket.transfer.read(upTo: Self.chunkSize) else { return }
      if bytes.isEmpty { return lose() }
      run.reader.append(bytes)
      while self.run === run, let frame = try run.reader.next() { take(frame) }
    } catch {
      lose()
    }
  }

  private func take(_ frame: RelayFrame) {
    switch frame {
    case .connected(let server):
      pause = Self.pauses.lowerBound
      onState(.success(server))
    case .disconnected(let reason): onState(.failure(Away(reason: connection.withoutSecrets(reason))))
    case .message(let number, let message): onMessage(number, message)
    case .connect, .publish, .subscribe, .unsubscribe: break
    }
  }

  // MARK: Ends

  private func lose() {
    guard let run = run.take() else { return }
    run.process.finishMessages()
    stop(run)
    if isOver { return }
    log.warning("the relay of the cluster has ended")
    restarts += 1
    onState(.failure(Away(reason: "the relay has ended")))
    startLater()
  }

  private func startLater() {
    timer = clock.schedule(after: pause) { [weak self] in
      self?.timer = nil
      self?.start()
    }
    pause = min(pause * 2, Self.pauses.upperBound)
  }

  private func stop(_ run: Run) {
    run.reading = nil
    run.flushing = nil
    run.process.kill()
  }

  /// Ends it; it is not started again.
  package func end() {
    isOver = true
    if let timer { clock.cancel(timer) }
    timer = nil
    if let run = run.take() { stop(run) }
  }
}
