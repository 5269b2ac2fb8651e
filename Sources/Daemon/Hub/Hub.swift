import JSON
import Journal
import Persistence
import ReactiveCore
import SignalGraph
import WireProtocol

/// The graphs and who listens to them.
///
/// It knows signals, subscriptions and what they make in a turn; of connections and lines it knows nothing.
final class Hub {
  let runtime: GraphRuntime
  let turn: Turn
  let epochs = Epochs()
  /// The commits of durable graphs, where there are any.
  var commits: Commits?
  /// Why durable graphs do not run.
  var storageFault: StorageError?
  /// Every signal, in the order of the configuration, the daemon's own last.
  private(set) var channels: [Channel] = []
  private var channelsByName: [String: Channel] = [:]
  private var table = ChannelTable([])
  /// Subscriptions to patterns, which signals that are added later join.
  private var patterns = Audience<Subscription>()
  private var gates = Gates()
  /// Called once signals have come, gone, changed or started anew.
  var signalsChanged: () -> Void = {}

  init(_ runtime: GraphRuntime, turn: Turn) {
    self.runtime = runtime
    self.turn = turn
    adoptSignals()
  }

  /// Lets go of the signals, each of which keeps its channel.
  deinit {
    for channel in channels { channel.retire() }
  }

  /// The signal of a name, as far as a client can tell.
  func channel(named name: String, for client: ClientIdentity) -> Channel? {
    guard let channel = channelsByName[name], channel.access.isVisible(to: client) else { return nil }
    return channel
  }

  /// Whether a word of a declaration names a signal that a client cannot see.
  func hides(_ word: String, in graph: String, from client: ClientIdentity) -> Bool {
    [word, "\(graph).\(word)"].contains { channelsByName[$0]?.access.isVisible(to: client) == false }
  }

  /// The signal of a name as it stands in a line.
  func channel(named name: Span<UInt8>, for client: ClientIdentity) -> Channel? {
    guard let channel = table[name], channel.access.isVisible(to: client) else { return nil }
    return channel
  }

  /// The signals that a client knows of, in the order of the configuration.
  func visibleChannels(to client: ClientIdentity) -> [Channel] {
    channels.filter { $0.access.isVisible(to: client) }
  }

  /// The signals that a pattern covers for a client, in the order of the configuration.
  func channels(coveredBy pattern: SignalPattern, for client: ClientIdentity) -> [Channel] {
    channels.filter { covers(pattern, $0, for: client) }
  }

  /// Has a subscription to a pattern join the signals that come later.
  func add(_ subscription: Subscription) {
    if !subscription.pattern.isName { patterns.append(subscription) }
  }

  func forget(_ subscription: Subscription) {
    if !subscription.pattern.isName {
      turn.keep(subscription)
      patterns.remove(subscription)
    }
    guard let gate = subscription.gate else { return }
    gates.forget(subscription)
    gate.release()
  }

  // MARK: Backpressure

  /// Has those who send into what a subscription listens to wait for it.
  func hold(for subscription: Subscription) {
    gates.add(subscription, before: sources(of: subscription.channels.filter(\.hasBackpressure)))
  }

  /// Puts gates where they belong now, and has those look who wait before one.
  private func replaceGates() {
    for subscription in gates.subscriptions {
      gates.forget(subscription)
      hold(for: subscription)
      subscription.gate?.release()
    }
  }

  /// The signals that values can be sent to and from which others are computed, each once.
  private func sources(of channels: [Channel]) -> [Channel] {
    (channels + upstream(of: channels) { _ in true }).filter(\.signal.acceptsValues)
  }

  /// The private signals that have ended and that signals hang on, which nobody can name to have them start anew.
  func endedPrivateSources(of channels: [Channel]) -> [Channel] {
    upstream(of: channels, where: \.signal.isPrivate).filter { $0.signal.ending != nil }
  }

  /// All that signals are computed from, each once, as far as one that is wanted leads to the next.
  private func upstream(of channels: [Channel], where isWanted: (Channel) -> Bool) -> [Channel] {
    var seen = Set(channels.map(\.name))
    var rest = channels
    var found: [Channel] = []
    while let channel = rest.popLast() {
      for name in channel.signal.declaration.upstream where seen.insert(name).inserted {
        guard let source = channelsByName[name], isWanted(source) else { continue }
        found.append(source)
        rest.append(source)
      }
    }
    return found
  }

  /// Tells every subscriber that its signals are over, and why.
  func interruptAll(_ reason: SubscriptionEvent.Reason) {
    for channel in channels { channel.interrupt(reason) }
  }

  /// Swaps the configuration between two turns, and tells subscribers what that means for them.
  func reload(_ configuration: Configuration) -> ConfigurationChanges {
    if let commits, commits.hasBegun { commits.graphs.willReload(configuration) }
    let changes = runtime.reload(configuration) { replacement in
      commits?.graphs.hear(replacement.fresh, of: configuration)
      for signal in replacement.removed { channelsByName[signal.name]?.handOver(to: nil) }
      let affected = adoptSignals().union(replacement.fresh.map(\.name))
      let changed = channels.filter { affected.contains($0.name) }
      for channel in changed { channel.handOver(to: channel) }
      extendPatterns(to: changed.filter { $0.signal.ending == nil })
    }
    replaceGates()
    signalsChanged()
    return changes
  }

  /// Starts signals that have ended anew.
  ///
  /// - Parameter sender: The client that asks for it.
  /// - Returns: Whether that waits for the disk.
  func restart(_ ended: [Channel], by sender: EntrySender?) -> Bool {
    if ended.isEmpty { return false }
    let renewed = runtime.renewal(of: ended.map(\.name))
    guard let commits else {
      renew(renewed)
      return false
    }
    return commits.graphs.restart(renewed, by: sender) { [unowned self] in renew($0) }
  }

  /// Starts these signals anew, as far as clients see them.
  func renew(_ names: Set<String>) {
    runtime.renew(names) { replacement in
      extendPatterns(to: replacement.fresh.compactMap { channelsByName[$0.name] })
    }
    replaceGates()
    signalsChanged()
  }

  /// Has subscriptions to patterns join signals that they may cover from now on.
  private func extendPatterns(to channels: [Channel]) {
    if channels.isEmpty { return }
    for subscription in patterns.members {
      for channel in channels where covers(subscription.pattern, channel, for: subscription.identity) {
        subscription.extend(to: channel)
      }
    }
  }

  private func covers(_ pattern: SignalPattern, _ channel: Channel, for client: ClientIdentity) -> Bool {
    channel.isCovered(by: pattern) && !channel.signal.isCold && channel.access.maySubscribe(client)
  }

  /// Makes the channels of the signals that there are now, keeping those that were there.
  ///
  /// - Returns: The names of those whose access rules have changed.
  @discardableResult
  private func adoptSignals() -> Set<String> {
    let before = channelsByName
    var changed: Set<String> = []
    channels = (runtime.signals + runtime.own.all).map { signal in
      guard let channel = before[signal.name], channel.signal === signal else {
        return Channel(signal, turn: turn, runtime: runtime, epochs: epochs)
      }
      if channel.refresh() { changed.insert(channel.name) }
      return channel
    }
    channelsByName = Dictionary(uniqueKeysWithValues: channels.map { ($0.name, $0) })
    table = ChannelTable(channels)
    for channel in before.values where channelsByName[channel.name] !== channel { channel.retire() }
    noteDurableFeeds()
    return changed
  }

  private func noteDurableFeeds() {
    for channel in channels { channel.feedsDurable = false }
    var rest = channels.filter(\.signal.declaration.isDurable)
    if rest.isEmpty { return }
    var senders: [String: [Channel]] = [:]
    for channel in channels {
      for target in channel.signal.declaration.targets { senders[target, default: []].append(channel) }
    }
    while let channel = rest.popLast() {
      if channel.feedsDurable { continue }
      channel.feedsDurable = true
      rest += channel.signal.declaration.upstream.compactMap { channelsByName[$0] } + senders[channel.name, default: []]
    }
  }
}

// MARK: - Handing over

extension Hub {
  /// Writes down who listens to what.
  ///
  /// - Parameter number: The number under which a subscription is written down.
  func store(in writer: inout StateWriter, number: (Subscription) -> Int) {
    writer.text(epochs.process)
    writer.count(channels.count)
    for channel in channels {
      writer.text(channel.name)
      writer.part { channel.store(in: &$0, number: number) }
    }
    patterns.members.map(number).store(in: &writer)
    gates.subscriptions.map(number).store(in: &writer)
  }

  /// Has those listen again who listened, while the graphs go on from their state.
  func restore(
    from reader: inout StateReader, subscription: (Int) throws(StateError) -> Subscription
  ) throws(StateError) {
    epochs.adopt(process: try reader.text())
    for _ in 0..<(try reader.count()) {
      let name = try reader.text()
      var part = try reader.part()
      guard let channel = channelsByName[name] else { throw StateError("there is no signal \(name) any more") }
      try channel.restore(from: &part, subscription: subscription)
    }
    for number in try [Int](from: &reader) { patterns.append(try subscription(number)) }
    for number in try [Int](from: &reader) { hold(for: try subscription(number)) }
  }

  /// A stream of a signal to which nobody listens any more.
  func stray(_ signal: String, _ form: EventForm) -> EventStream {
    channelsByName[signal]?.stray(form) ?? EventStream(signal: signal, clock: runtime.clock, form: form)
  }
}
