import Base
import GraphEngine
import GraphModel
import JSON
import Linux
import WireProtocol

/// The signals with `dbus: true`, followed by subscriptions like those of a client.
///
/// It is a client without a socket. On a slow bus, values of a signal are superseded by its latest, and those of
/// durable graphs are delivered once they are on disk.
final class ExportedSignals: SendBufferOwner, Sender {
  /// The most bytes of waiting events before values are superseded by later ones.
  private static let budget = 1 << 18
  /// The most events to publish before clients are served.
  private static let portion = 64

  /// Publishes an event.
  var report: (ExportedSignal, ExportedSignal.Event) -> Void = { _, _ in }
  /// Returns `true` while the bus accepts more.
  var hasSpace: () -> Bool = { true }
  /// Called when there is more to publish than the bus accepts or than fits in an iteration; `resume` is due then.
  var isLate: () -> Void = {}
  private let dispatcher: Dispatcher
  private let session: Session
  private var names: [String: ExportedSignal] = [:]
  private var paths: [String: ExportedSignal] = [:]
  /// The number of events that may still be published in this iteration.
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
    session.sendBuffer.attach(to: self)
    session.sender = self
  }

  var all: some Collection<ExportedSignal> { paths.values }

  subscript(path path: String) -> ExportedSignal? { paths[path] }

  func channel(of signal: ExportedSignal) -> Channel? {
    dispatcher.hub.channel(named: signal.name, for: session.identity)
  }

  /// Returns the value of a signal, if it has one.
  func current(_ signal: ExportedSignal) -> ExportedSignal.Numbered? {
    channel(of: signal)?.signal.retained.last.map { ($0.payload, $0.sequence) } ?? signal.last
  }

  /// Updates the set of exported signals, and notes which ones have restarted.
  func update() {
    let channels = dispatcher.hub.channels.filter { $0.signal.declaration.traits.isOnBus }
    let wanted = Set(channels.map(\.name))
    for signal in Array(names.values) where !wanted.contains(signal.name) {
      session[.pattern(ExactText(signal.name))]?.end()
      names[signal.name] = nil
      paths[signal.path] = nil
    }
    for channel in channels { update(channel) }
  }

  private func update(_ channel: Channel) {
    if let signal = names[channel.name] {
      if channel.signal.ending != nil || session[.pattern(ExactText(channel.name))] != nil { return }
      signal.hasEnded = false
      report(signal, .turned)
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

  /// Publishes the events so far, as far as the bus accepts them.
  func catchUp() {
    dispatcher.iteration.closeBatch()
    flush()
  }

  /// Publishes more at the end of this iteration, now that the bus accepts it.
  func resume() {
    rest = Self.portion
    isWaiting = false
    if session.sendBuffer.isEmpty || isOver { return }
    dispatcher.iteration.schedule(self)
  }

  func end() {
    isOver = true
    session.close()
  }

  // MARK: Events

  func flush() {
    if isOver { return }
    session.sendBuffer.flush()
    if session.sendBuffer.isEmpty || isWaiting { return }
    isWaiting = true
    isLate()
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Int? {
    var taken = 0
    while taken < bytes.count, rest > 0, hasSpace() {
      let end = bytes[taken...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      rest -= 1
      handle(Array(bytes[taken..<end]))
      taken = min(end + 1, bytes.count)
    }
    return taken
  }

  private func handle(_ line: [UInt8]) {
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
      report(signal, .value(numbered))
    case _ where line.isEnding:
      signal.hasEnded = true
      report(signal, .turned)
    default: break
    }
  }

  // It is never too slow for its subscriptions, and it never sends.
  func disconnectSlow(exceeding limit: MemoryLimit) {}
  func didFallBehind() {}
  func proceed() {}
}
