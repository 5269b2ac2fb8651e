import JSON
import Linux
import SignalGraph
import WireProtocol

/// The signals that say `dbus: true`, which it hears as a client does.
///
/// It is a client without a socket. Behind a bus that is slow, values of a signal give way to its latest, and those of
/// durable graphs are heard once they are on disk.
final class ExportedSignals: OutboxOwner, Sender {
  /// How many bytes of events may wait before values give way to later ones.
  private static let budget = 1 << 18
  /// How many events are told before clients are served.
  private static let portion = 64

  /// Told each event.
  var tell: (ExportedSignal, ExportedSignal.Event) -> Void = { _, _ in }
  /// Whether the bus takes more now.
  var hasRoom: () -> Bool = { true }
  /// Called when there is more to tell than the bus takes or than is told in a turn; `resume` is due then.
  var isLate: () -> Void = {}
  private let dispatcher: Dispatcher
  private let session: Session
  private var names: [String: ExportedSignal] = [:]
  private var paths: [String: ExportedSignal] = [:]
  /// How many events may still be told before it waits for its next turn.
  private var rest = portion
  private var isWaiting = false
  private var isOver = false

  init(_ dispatcher: Dispatcher, _ ledger: Ledger) {
    self.dispatcher = dispatcher
    let own = PeerCredentials(
      processID: 0, userID: CurrentProcess.userID, groupID: CurrentProcess.groupID, groups: [])
    let account = ledger.account(ofUser: own.userID)
    account.joined()
    var limits = ClientLimits()
    limits.subscriptions = .max
    session = Session(
      ClientIdentity(own), account: account, limits: limits, budget: Self.budget, hub: dispatcher.hub)
    session.outbox.attach(to: self)
    session.sender = self
  }

  var all: some Collection<ExportedSignal> { paths.values }

  subscript(path path: String) -> ExportedSignal? { paths[path] }

  func channel(of signal: ExportedSignal) -> Channel? {
    dispatcher.hub.channel(named: signal.name, for: session.identity)
  }

  /// The value of a signal, if it has one.
  func current(_ signal: ExportedSignal) -> ExportedSignal.Numbered? {
    channel(of: signal)?.signal.retained.last.map { ($0.payload, $0.sequence) } ?? signal.last
  }

  /// Looks at which signals are to be on the bus now, and which have started anew.
  func update() {
    let channels = dispatcher.hub.channels.filter { $0.signal.declaration.traits.isOnBus }
    let wanted = Set(channels.map(\.name))
    for signal in Array(names.values) where !wanted.contains(signal.name) {
      session[.pattern(signal.name)]?.end()
      names[signal.name] = nil
      paths[signal.path] = nil
    }
    for channel in channels { update(channel) }
  }

  private func update(_ channel: Channel) {
    if let signal = names[channel.name] {
      if channel.signal.ending != nil || session[.pattern(channel.name)] != nil { return }
      signal.hasEnded = false
      tell(signal, .turned)
    } else {
      let signal = ExportedSignal(channel.name)
      names[signal.name] = signal
      paths[signal.path] = signal
    }
    guard let pattern = SignalPattern(channel.name) else { return }
    var request = SubscribeRequest()
    request.signal = pattern
    request.replay = 0
    request.overflow = .latest
    carryOut(request.line().dropLast())
  }

  private func carryOut(_ line: ArraySlice<UInt8>) {
    let line = Array(line)
    _ = dispatcher.carryOut(line.span, for: session)
  }

  /// Has all told that has come so far, as far as the bus takes it.
  func catchUp() {
    dispatcher.turn.closeBatch()
    flush()
  }

  /// Tells more at the end of this turn, now that the bus takes it.
  func resume() {
    rest = Self.portion
    isWaiting = false
    if session.outbox.isEmpty || isOver { return }
    dispatcher.turn.schedule(self)
  }

  func end() {
    isOver = true
    session.close()
  }

  // MARK: Hearing

  func flush() {
    if isOver { return }
    session.outbox.flush()
    if session.outbox.isEmpty || isWaiting { return }
    isWaiting = true
    isLate()
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Int? {
    var taken = 0
    while taken < bytes.count, rest > 0, hasRoom() {
      let end = bytes[taken...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      rest -= 1
      hear(Array(bytes[taken..<end]))
      taken = min(end + 1, bytes.count)
    }
    return taken
  }

  private func hear(_ line: [UInt8]) {
    guard let line = try? ServerLine(line.span), case .event(let event) = line.kind,
      let signal = line.string("signal").flatMap({ names[$0] })
    else { return }
    switch event {
    case "next":
      guard let value = line["value"], let text = line["seq"]?.bytes,
        let sequence = UInt64(String(decoding: text, as: UTF8.self))
      else { return }
      let numbered = (value: Payload.raw(value), sequence: sequence)
      signal.last = numbered
      tell(signal, .value(numbered))
    case _ where line.isEnding:
      signal.hasEnded = true
      tell(signal, .turned)
    default: break
    }
  }

  // It is never too slow for its subscriptions, nor does it ever send.
  func disconnectSlow() {}
  func hasFallenBehind() {}
  func goOn() {}
}
