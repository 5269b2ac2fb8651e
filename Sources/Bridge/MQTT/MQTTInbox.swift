internal import Base
internal import Linux

/// The messages of a connection that the daemon has not taken yet.
///
/// The daemon may refuse a value for now. It is sent again after a pause, and those behind it wait, so that the order stays.
final class MQTTInbox {
  /// Called when more messages may be read, and when what the client writes may leave.
  var caughtUp: () -> Void = {}

  private let window: Int
  private let log: Log
  private var session: DaemonSession?
  /// Counts the connections, so that an answer of the daemon counts for its own.
  private var epoch = 0
  /// The number of values that the daemon has not answered.
  private(set) var count = 0
  /// The number of those whose messages are acknowledged to the broker.
  private var unacknowledged = 0
  /// The time since which something has to be acknowledged.
  private var heldSince: MonotonicInstant?
  /// The values that the daemon has refused for now, and those behind them.
  private var refused = FirstInFirstOut<(MQTTSource, MQTTMessage)>()
  private var timer: LoopTimer?

  /// The time after which a refused message is sent again.
  private static let pause = Duration.seconds(1)
  /// The longest time that messages are read on while others have to be acknowledged.
  private static let longestHold = Duration.milliseconds(20)

  init(window: Int, loop: EventLoop, log: Log) throws {
    self.window = window
    self.log = log
    timer = try loop.addTimer { [unowned self] in sendAgain() }
  }

  /// True while acknowledgements must not leave.
  var isHolding: Bool { unacknowledged > 0 }

  /// True while no more messages may be read.
  var isFull: Bool {
    if count >= window || session?.isCongested == true || !refused.isEmpty { return true }
    return heldSince.map { .now() - $0 > Self.longestHold } ?? false
  }

  func attach(_ session: DaemonSession) { self.session = session }
  func detach() { session = nil }
  func close() { timer = nil }

  /// Forgets the values under way: the broker sends again those that it has no acknowledgement of.
  func forget() {
    epoch += 1
    (count, unacknowledged, heldSince) = (0, 0, nil)
    refused = FirstInFirstOut()
  }

  /// Sends a message to the daemon, once for each of its sources.
  func take(_ message: MQTTMessage, for sources: [MQTTSource]) {
    for source in sources {
      noteBeginning(of: message)
      if refused.isEmpty { send(source, message) } else { refused.append((source, message)) }
    }
  }

  private func noteBeginning(of message: MQTTMessage) {
    count += 1
    if message.qos == 0 { return }
    unacknowledged += 1
    if heldSince == nil { heldSince = .now() }
  }

  private func noteEnd(of message: MQTTMessage) {
    count -= 1
    if message.qos > 0 { unacknowledged -= 1 }
    let wasHeld = heldSince != nil
    if unacknowledged == 0 { heldSince = nil }
    if wasHeld && heldSince == nil || count == window / 2 { caughtUp() }
  }

  private func send(_ source: MQTTSource, _ message: MQTTMessage) {
    if let command = source.command { return send(command, message) }
    send(source, message) { [unowned self] reason in
      if refused.isEmpty { try? timer?.set(.now() + Self.pause) }
      refused.append((source, message))
      source.refusals.note(reason, of: source.run, log)
    } taken: { [unowned self] in
      noteEnd(of: message)
    }
  }

  private func send(
    _ source: MQTTSource, _ message: MQTTMessage, refused: @escaping (String) -> Void, taken: @escaping () -> Void
  ) {
    let epoch = epoch
    session?.send(source.run, source.value(of: message)) { [weak self] result in
      guard let self, epoch == self.epoch else { return }
      if case .refused(let reason) = result { return refused(reason) }
      source.refusals.clear()
      if case .dropped(let reason) = result {
        log.warning("dropped a message for \(source.run.signal): \(reason)")
      }
      taken()
    }
  }

  /// Sends what a command says to its input, or calls its action, as any client does.
  ///
  /// A retained one was not given now. A call may take any time, so its command is acknowledged at once.
  private func send(_ command: MQTTCommand, _ message: MQTTMessage) {
    guard !message.isRetained, let value = command.value(of: message.payload) else {
      // It is how a client removes a retained one.
      if message.payload.isEmpty { return noteEnd(of: message) }
      let reason = message.isRetained ? "it is retained" : "its payload is no value of the entity"
      log.warning("a command on \(message.topic) is dropped: \(reason)")
      return noteEnd(of: message)
    }
    let report = { [log] (refusal: String?) in
      if let refusal { log.warning("a command for \(command.target) is refused: \(refusal)") }
    }
    if command.isCall {
      session?.call(command.target, value, then: report)
      return noteEnd(of: message)
    }
    let epoch = epoch
    session?.send(value, to: command.target) { [weak self] refusal in
      guard let self, epoch == self.epoch else { return }
      report(refusal)
      noteEnd(of: message)
    }
  }

  /// Sends the first refused message again, and those behind it only once the daemon has taken it.
  ///
  /// Sent together, they could be taken where the first one is refused once more.
  private func sendAgain() {
    guard let (source, message) = refused.first else { return }
    if source.command != nil { return sendAll() }
    send(source, message) { [unowned self] reason in
      source.refusals.note(reason, of: source.run, log)
      try? timer?.set(.now() + Self.pause)
    } taken: { [unowned self] in
      _ = refused.popFirst()
      noteEnd(of: message)
      sendAll()
    }
  }

  private func sendAll() {
    let waiting = refused
    refused = FirstInFirstOut()
    for (source, message) in waiting.all { send(source, message) }
    caughtUp()
  }
}
