import GraphEngine
import GraphModel
import JSON
import Persistence
import Signals
import StateLog
import WireProtocol

/// The graphs and the subscriptions to them.
///
/// It knows signals, subscriptions and their output in an iteration, but no connections and no lines.
final class Hub {
  let runtime: GraphRuntime
  let iteration: LoopIteration
  let epochs = Epochs()
  let adapters = Adapters()
  var congestion = Congestion()
  /// The homes of durable graphs, with what crosses between them and the others.
  let homes: Homes
  /// The commits of the homes that are open.
  private(set) var commits: [Commits] = []
  /// The homes whose logs the nodes of the cluster share.
  var clustered: [Home: any ClusteredHome] = [:]
  /// The last commits of clustered graphs whose events subscribers have received from the old process.
  var resumedLogs: [Home: UInt64] = [:]
  /// The logs that graphs have left by a reload: their epochs, and the last commits whose events subscribers have received.
  var leftLogs: [Home: (epoch: String, told: UInt64)] = [:]
  /// The reasons that the durable graphs of some homes do not run.
  private(set) var storageFaults: [Home: StorageError] = [:]
  private var directory = ChannelDirectory()
  /// Subscriptions to patterns, which extend to signals that are added later.
  private var patterns = UnretainedSet<Subscription>()
  private var gates = Gates()
  /// Called after signals have been added, removed, changed or restarted.
  var signalsChanged: () -> Void = {}

  /// - Parameter homes: The homes of the signals that are mirrors in the runtime.
  init(_ runtime: GraphRuntime, homes: Homes = Homes(.none), iteration: LoopIteration) {
    self.runtime = runtime
    self.homes = homes
    self.iteration = iteration
    adoptSignals()
    runtime.onCongestion = { [unowned self] in note(congestionOf: $0, $1) }
  }

  /// Disconnects from the signals, which own their channels.
  deinit {
    for channel in channels { channel.retire() }
    runtime.onCongestion = { _, _ in }
  }

  /// Every signal, in the order of the configuration, the daemon's own last.
  var channels: [Channel] { directory.all }

  /// Returns the signal with a name.
  func channel(named name: String) -> Channel? { directory[name] }

  /// Returns the signal with a name, if it is visible to the client.
  func channel(named name: String, for client: ClientIdentity) -> Channel? {
    guard let channel = directory[name], channel.access.isVisible(to: client) else { return nil }
    return channel
  }

  /// Returns the signal with a name in a request line, if it is visible to the client.
  func channel(named name: Span<UInt8>, for client: ClientIdentity) -> Channel? {
    guard let channel = directory[name], channel.access.isVisible(to: client) else { return nil }
    return channel
  }

  /// Returns the signals visible to a client, in the order of the configuration.
  func visibleChannels(to client: ClientIdentity) -> [Channel] {
    channels.filter { $0.access.isVisible(to: client) }
  }

  /// Returns the signals that a pattern covers for a client, in the order of the configuration.
  func channels(coveredBy pattern: SignalPattern, for client: ClientIdentity) -> [Channel] {
    channels.filter { covers(pattern, $0, for: client) }
  }

  /// Extends a subscription to a pattern to signals that are added later.
  func add(_ subscription: Subscription) {
    if !subscription.pattern.isName { patterns.append(subscription) }
  }

  func remove(_ subscription: Subscription) {
    if !subscription.pattern.isName {
      iteration.keep(subscription)
      patterns.remove(subscription)
    }
    guard let gate = subscription.gate else { return }
    gates.remove(subscription)
    gate.release()
  }

  // MARK: Backpressure

  /// Applies backpressure of a subscription to the sources of its signals.
  func hold(for subscription: Subscription) {
    gates.add(subscription, before: directory.sources(of: subscription.channels.filter(\.hasBackpressure)))
  }

  /// Recomputes the gates and wakes the senders that wait at one.
  private func replaceGates() {
    markCongested()
    for subscription in gates.subscriptions {
      gates.remove(subscription)
      hold(for: subscription)
      subscription.gate?.release()
    }
  }

  /// Returns the private signals that have ended upstream of others.
  ///
  /// Clients cannot name them in a restart.
  func endedPrivateSources(of channels: [Channel]) -> [Channel] {
    directory.upstream(of: channels, where: \.signal.isPrivate).filter { $0.signal.ending != nil }
  }

  /// Interrupts all subscriptions, with a reason.
  func interruptAll(_ reason: SubscriptionEvent.Reason) {
    for channel in channels { channel.interrupt(reason) }
  }

  /// Swaps the configuration between two turns, and adapts the subscriptions.
  func reload(_ configuration: Configuration) -> ConfigurationChanges {
    homes.willReload(configuration) { directory[$0.name]?.leaveHome() }
    let changes = runtime.reload(configuration) { replacement in
      homes.willBegin(replacement.fresh, of: configuration)
      for signal in replacement.removed { directory[signal.name]?.handOver(to: nil) }
      let affected = adoptSignals().union(replacement.fresh.map(\.name))
      let changed = channels.filter { affected.contains($0.name) }
      for channel in changed { channel.handOver(to: channel) }
      extendPatterns(to: changed.filter { $0.signal.ending == nil })
    }
    replaceGates()
    signalsChanged()
    return changes
  }

  /// Restarts signals that have ended.
  ///
  /// - Parameter sender: The client that requested it.
  /// - Returns: The homes that the restart waits for.
  func restart(_ ended: [Channel], by sender: EntrySender?) -> [any AnsweringHome] {
    if ended.isEmpty { return [] }
    let renewed = runtime.restartSet(of: ended.map(\.name))
    let waiting = homes.restart(renewed, by: sender)
    if waiting.isEmpty {
      restartSignals(renewed.filter { runtime.signal(named: $0).map { homes[$0] == nil } ?? false })
    }
    return commits.filter { waiting.contains($0.home) }
  }

  /// Restarts signals and adapts their subscriptions.
  func restartSignals(_ names: Set<String>) {
    runtime.restartSignals(names) { replacement in
      extendPatterns(to: replacement.fresh.compactMap { directory[$0.name] })
    }
    replaceGates()
    signalsChanged()
  }

  /// Extends subscriptions to patterns to signals that they may cover from now on.
  private func extendPatterns(to channels: [Channel]) {
    if channels.isEmpty { return }
    for subscription in patterns.members {
      for channel in channels where covers(subscription.pattern, channel, for: subscription.identity) {
        subscription.extend(to: channel)
      }
    }
  }

  /// Begins with signals whose values have become known, for the subscriptions that wait for them.
  ///
  /// - Parameter home: The home that was read; `nil` for any, after a reload that may have moved signals out of one.
  func beginAwaited(in home: Home? = nil) {
    let waiting = patterns.members.filter(\.isAwaiting)
    if waiting.isEmpty { return }
    if home == nil { for subscription in waiting { subscription.forgetAwaited { directory[$0] == nil } } }
    for channel in channels
    where (home == nil || channel.signal.declaration.home == home) && ignorance(of: channel) == nil {
      for subscription in waiting where covers(subscription.pattern, channel, for: subscription.identity) {
        subscription.beginAwaited(channel) { place in
          // Another node has shown its client more than this one knows.
          if let place, place.epoch == channel.epoch, place.seq > channel.signal.sequence { return nil }
          return channel.beginning(after: place)
        }
      }
    }
  }

  private func covers(_ pattern: SignalPattern, _ channel: Channel, for client: ClientIdentity) -> Bool {
    channel.isCovered(by: pattern) && !channel.signal.isCold && channel.access.maySubscribe(client)
  }

  /// Makes the channels of the current signals, keeping those that exist.
  ///
  /// - Returns: The names of signals with changed access rules.
  @discardableResult
  private func adoptSignals() -> Set<String> {
    let before = directory
    var changed: Set<String> = []
    let channels = (runtime.signals + runtime.own.all).map { signal in
      guard let channel = before[signal.name], channel.signal === signal else {
        return Channel(signal, iteration: iteration, runtime: runtime, epochs: epochs)
      }
      if channel.refresh() { changed.insert(channel.name) }
      return channel
    }
    directory = ChannelDirectory(channels)
    for channel in before.all where directory[channel.name] !== channel { channel.retire() }
    noteCommits()
    return changed
  }

  /// Tells each channel the homes that its values enter, so that a send need not look for them.
  private func noteCommits() {
    for channel in channels { (channel.commits, channel.fedCommits) = (nil, []) }
    for commits in commits {
      let own = channels.filter { $0.signal.declaration.home == commits.home }
      for channel in own { channel.commits = commits }
      for channel in directory.feeders(of: own) { channel.fedCommits.append(commits) }
    }
  }

  /// Returns signals and everything whose values enter them.
  func feeders(of channels: [Channel]) -> [Channel] { directory.feeders(of: channels) }
}

// MARK: - Homes

extension Hub {
  /// Returns the commits of a home, if it is open.
  func commits(of home: Home) -> Commits? { commits.first { $0.home == home } }

  /// Adds the commits of a home that has been opened.
  func add(_ opened: Commits) {
    opened.graphs.restartSignals = { [unowned self] in restartSignals($0) }
    opened.graphs.onCongestion = { [unowned self] in note(congestionOf: $0, $1) }
    let former = epochs.homes.updateValue(opened.graphs.epoch, forKey: opened.home)
    storageFaults[opened.home] = nil
    commits.append(opened)
    noteCommits()
    if former == opened.graphs.epoch { return }
    for channel in channels where channel.signal.declaration.home == opened.home { channel.enterHome() }
  }

  /// Returns the home of a clustered signal.
  func clusteredHome(of channel: Channel) -> (any ClusteredHome)? {
    clustered.isEmpty ? nil : channel.signal.declaration.home.flatMap { clustered[$0] }
  }

  /// Returns the reason why the values and numbers of a signal are not known here yet; `nil` once they are.
  ///
  /// A node reads the log of a clustered graph first, and a full disk or damage may keep a state folder closed.
  func ignorance(of channel: Channel) -> WireError? {
    guard let home = channel.signal.declaration.home, channel.commits == nil else { return nil }
    if let clustered = clustered[home] {
      guard !clustered.isFollowed else { return nil }
      let reason = clustered.unavailability ?? "the state of its graph is not known here yet"
      return WireError(.unavailable, "\"\(channel.name)\": \(reason)")
    }
    guard let fault = storageFaults[home] else { return nil }
    return WireError(.storage, "\"\(channel.name)\": its graph has not started: \(fault)")
  }

  /// True for a signal whose values another node computes, which may know more of them than this one.
  func mayLag(_ channel: Channel) -> Bool { channel.commits == nil && clusteredHome(of: channel) != nil }

  /// True for a clustered signal whose log this node has not read yet.
  func isUnknown(_ channel: Channel) -> Bool { mayLag(channel) && ignorance(of: channel) != nil }

  /// True while the log of a signal's home is being read.
  func isReading(_ channel: Channel) -> Bool {
    clusteredHome(of: channel).map { !$0.isFollowed && $0.unavailability == nil } ?? false
  }

  /// Sets the epoch of a home that another node has opened, and announces it to subscribers.
  func set(epoch: String, of home: Home) {
    if epochs.homes[home] == epoch { return }
    epochs.homes[home] = epoch
    for channel in channels where channel.signal.declaration.home == home { channel.deliverEpoch() }
  }

  /// Closes a home whose graphs cannot run.
  func remove(_ home: Home, because fault: StorageError? = nil) {
    commits.removeAll { $0.home == home }
    noteCommits()
    if let fault { storageFaults[home] = fault }
  }
}

// MARK: - Handover

extension Hub {
  /// Encodes the subscriptions of all signals.
  ///
  /// - Parameter number: Returns the number of a subscription in the handover.
  func encode(to writer: inout StateEncoder, number: (Subscription) -> Int) {
    writer.text(epochs.process)
    writer.count(channels.count)
    for channel in channels {
      writer.text(channel.name)
      writer.part { channel.encode(to: &$0, number: number) }
    }
    patterns.members.map(number).encode(to: &writer)
    gates.subscriptions.map(number).encode(to: &writer)
    encodeLogs(to: &writer, number: number)
  }

  /// Restores the subscriptions, while the graphs resume from their state.
  func restore(
    from reader: inout StateDecoder, subscription: (Int) throws(StateError) -> Subscription
  ) throws(StateError) {
    epochs.adopt(process: try reader.text())
    for _ in 0..<(try reader.count()) {
      let name = try reader.text()
      var part = try reader.part()
      guard let channel = directory[name] else { throw StateError("no signal \(name)") }
      try channel.restore(from: &part, subscription: subscription)
    }
    for number in try [Int](from: &reader) { patterns.append(try subscription(number)) }
    for number in try [Int](from: &reader) { hold(for: try subscription(number)) }
    if !reader.isAtEnd { try restoreLogs(from: &reader, subscription: subscription) }
  }

  /// Encodes how far subscribers have received the logs of clustered graphs, and what they still wait for; nothing if there
  /// are none.
  private func encodeLogs(to writer: inout StateEncoder, number: (Subscription) -> Int) {
    let logs = clustered.values.filter { $0.toldCommit > 0 }.sorted { $0.home.subject < $1.home.subject }
    let waiting = patterns.members.filter(\.isAwaiting)
    if logs.isEmpty, waiting.isEmpty { return }
    writer.count(logs.count)
    for log in logs {
      guard case .stream(let graph, let partition) = log.home else { continue }
      writer.text(graph)
      writer.count(partition)
      writer.text(epochs.epoch(of: log.home))
      writer.number(log.toldCommit)
    }
    if waiting.isEmpty { return }
    writer.count(waiting.count)
    for subscription in waiting {
      number(subscription).encode(to: &writer)
      subscription.encodeAwaited(to: &writer)
    }
  }

  private func restoreLogs(
    from reader: inout StateDecoder, subscription: (Int) throws(StateError) -> Subscription
  ) throws(StateError) {
    for _ in 0..<(try reader.count()) {
      let home = Home.stream(graph: try reader.text(), partition: try reader.count())
      epochs.homes[home] = try reader.text()
      resumedLogs[home] = try reader.number()
    }
    if reader.isAtEnd { return }
    for _ in 0..<(try reader.count()) {
      try subscription(try Int(from: &reader)).restoreAwaited(from: &reader)
    }
  }

  /// Returns a stream of a signal without subscriptions.
  func stray(_ signal: String, _ form: EventForm) -> EventEncoder {
    directory[signal]?.stray(form) ?? EventEncoder(signal: signal, clock: runtime.clock, form: form)
  }
}
