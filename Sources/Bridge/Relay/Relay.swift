internal import JSON
internal import Linux
internal import WireProtocol

/// The relay: a process of the bridge that speaks plain NATS for the daemon, which itself stays off the network.
///
/// It decides nothing. Whatever was under way when a connection is lost is lost, and the daemon begins again with the next
/// one. It ends with the daemon.
final class Relay {
  private let number: Int32
  private let loop: EventLoop
  private let log: Log
  private let inbox: RelayInbox
  private var reader = RelayFrameReader()
  private var settings: NATSSettings?
  private var connecting: BackgroundCall<Result<RelayLink, TaskFailure>>?
  private var link: RelayLink?
  private var sources: [EventSource] = []
  private var timer: LoopTimer?
  private var reason = ""

  private static let chunkSize = 256 << 10
  /// The pause before the next attempt to connect.
  private static let pause = Duration.milliseconds(100)

  /// - Parameter number: The descriptor of the connection with the daemon.
  init(_ number: Int32, loop: EventLoop, log: Log) throws(Errno) {
    (self.number, self.loop, self.log) = (number, loop, log)
    inbox = try RelayInbox()
    timer = try loop.addTimer { [unowned self] in connect() }
    sources = [
      try loop.addInput(number) { [unowned self] in read() },
      try loop.addInput(inbox.number) { [unowned self] in takeEvents() },
    ]
  }

  // MARK: The daemon

  private func read() {
    do {
      guard let bytes = try Transfer(number).read(upTo: Self.chunkSize) else { return }
      if bytes.isEmpty { return loop.stop() }
      reader.append(bytes)
      while let frame = try reader.next() { take(frame) }
    } catch {
      log.error("the daemon's frames cannot be read: \(error)")
      loop.stop(status: 1)
    }
  }

  private func take(_ frame: RelayFrame) {
    switch frame {
    case .connect(let line): begin(line)
    case .publish(let message): link?.publish(message)
    case .subscribe(let number, let subject): link?.subscribe(number, to: subject)
    case .unsubscribe(let number): link?.unsubscribe(number)
    case .connected, .disconnected, .message: break
    }
  }

  /// Writes a frame, and waits until the daemon has room for it.
  private func send(_ frames: [RelayFrame]) {
    var bytes: [UInt8] = []
    for frame in frames { frame.append(to: &bytes) }
    do throws(Errno) { try Transfer(number).writeAll(bytes) } catch { loop.stop() }
  }

  // MARK: The servers

  private func begin(_ line: [UInt8]) {
    do {
      guard case .object(let object) = try JSONParser.value(onThisThread: line.span),
        let declaration = ConnectionDeclaration(object)
      else { return loop.stop(status: 1) }
      settings = try NATSSettings(declaration)
      connect()
    } catch {
      log.error("the settings of the cluster's connection cannot be used: \(error)")
      loop.stop(status: 1)
    }
  }

  private func connect() {
    guard let settings, connecting == nil, link == nil else { return }
    let inbox = inbox
    connecting = BackgroundCall(loop: loop, name: "nats-connect") {
      do throws(TaskFailure) { return .success(try RelayLink(settings, inbox)) } catch { return .failure(error) }
    } done: { [unowned self] result in
      connecting = nil
      switch result {
      case .success(let link):
        // A server may have ended it before there was a link to end.
        if link.isClosed { return lose(link, Self.lost) }
        self.link = link
        reason = ""
        send([.connected(server: link.server)])
      case .failure(let failure): lose(settings.redacted(failure.message))
      }
    }
    if connecting == nil { lose(TaskFailure.noThread.message) }
  }

  /// Tries again after a pause, and tells the daemon why.
  private func lose(_ reason: String) {
    if reason != self.reason { send([.disconnected(reason)]) }
    self.reason = reason
    try? timer?.set(.now() + Self.pause)
  }

  private static let lost = "the connection to the servers is lost"

  private func lose(_ link: RelayLink, _ reason: String) {
    // The library waits for its threads.
    _ = try? Thread("nats-close") { withExtendedLifetime(link) {} }
    lose(reason)
  }

  private func takeEvents() {
    var frames: [RelayFrame] = []
    for event in inbox.take() {
      switch event {
      case .frame(let frame): if link != nil { frames.append(frame) }
      case .closed:
        // It may be the end of an earlier one.
        guard link?.isClosed == true, let lost = link.take() else { continue }
        frames = []
        lose(lost, Self.lost)
      case .overflow:
        guard let lost = link.take() else { continue }
        frames = []
        lose(lost, "too much waited for the daemon")
      }
    }
    if !frames.isEmpty { send(frames) }
  }
}
