package import GraphEngine
package import GraphModel
package import JSON

/// The homes whose durable graphs are open, and what crosses between them and the other graphs.
///
/// The runtime of the other graphs is in the middle: it has the mirrors of all durable signals, so an event that one home
/// emits for another passes through it, once the commit of the one is durable, and is an input of the other.
package final class Homes {
  private struct Member {
    let home: Home
    let identity: ObjectIdentifier
    unowned let graphs: DurableGraphs
  }

  private var members: [Member] = []
  /// The cause of the effects being released.
  var chain: SendChain?
  /// Sends a value to a signal of a home that is not open here.
  package var onRemoteSend: (Payload, _ signal: RunningSignal) -> Void = { _, _ in }

  /// The open graphs, in the order of their opening.
  private var all: [DurableGraphs] { members.map(\.graphs) }
  /// The graphs that run.
  package var running: [DurableGraphs] { all.filter(\.hasBegun) }

  /// - Parameter mirrors: The mirrors of durable signals, for the runtime of the other graphs.
  package init(_ mirrors: Mirrors) {
    mirrors.onSend = { [weak self] mirror, value in self?.send(value, to: mirror) }
    mirrors.onListening = { [weak self] mirror in self?[mirror]?.cross(.listening(to: mirror.name)) }
    mirrors.onEvent = { [weak self] signal, event in self?.reflect(event, of: signal) }
  }

  package subscript(home: Home) -> DurableGraphs? { members.first { $0.home == home }?.graphs }

  /// The graphs with the original of a mirror.
  package subscript(mirror: RunningSignal) -> DurableGraphs? { mirror.declaration.home.flatMap { self[$0] } }

  func add(_ graphs: DurableGraphs) {
    members.append(Member(home: graphs.home, identity: ObjectIdentifier(graphs), graphs: graphs))
  }

  func remove(_ graphs: DurableGraphs) { members.removeAll { $0.identity == ObjectIdentifier(graphs) } }

  // MARK: Crossings

  func send(_ value: Payload, to mirror: RunningSignal) {
    if let graphs = self[mirror] { graphs.cross(.value(value, to: mirror.name)) } else { onRemoteSend(value, mirror) }
  }

  private func reflect(_ event: SignalEvent, of signal: RunningSignal) {
    for member in members where member.graphs.observed.contains(signal.name) {
      member.graphs.cross(.event(event, of: signal.name))
    }
  }

  /// Sends a signal's events to those homes that follow it.
  func update(reflectionOf signal: RunningSignal) {
    signal.isReflected = members.contains { $0.graphs.observed.contains(signal.name) }
  }

  /// Lets a lazy signal run while one of the homes follows its mirror there.
  func update(listeningTo signal: RunningSignal, in main: GraphRuntime) {
    main.setMirror(of: signal, isObserved: members.contains { $0.graphs.followed.contains(signal.name) })
  }

  /// Connects the graphs to those of the other homes and to the ordinary ones, after a start or a reload of any.
  package func connect() {
    let fresh = Set(running.filter { !$0.isConnected }.map(\.home))
    for graphs in running { graphs.connect(toFresh: fresh) }
  }

  // MARK: Changes

  /// Prepares for a new configuration, which the runtime of the other graphs adopts first.
  ///
  /// - Parameter leaveHome: Called with each mirror whose next values are numbered in the epoch of the process,
  /// before they are emitted.
  package func willReload(_ new: Configuration, leaveHome: (RunningSignal) -> Void) {
    // The effects of one home may be inputs of another.
    repeat {
      for graphs in running { graphs.willReload(new, leaveHome: leaveHome) }
    } while running.contains(
      where: \.hasCrossings)
  }

  /// Subscribes to new signals under another configuration, and aligns the numbers of mirrors with their originals.
  package func willBegin(_ fresh: [RunningSignal], of new: Configuration) {
    for graphs in all { graphs.willBegin(fresh, of: new) }
  }

  /// Adopts another configuration, after the runtime of the other graphs has done so; `connect` is to follow.
  package func reload(_ new: StoredConfiguration, as changes: ConfigurationChanges) {
    for graphs in running { graphs.reload(new, as: changes) }
  }

  /// Restarts ended signals: durable ones now, their mirrors in order after previous effects.
  ///
  /// - Parameters:
  ///   - names: Signals of any graph.
  ///   - sender: The requesting client.
  /// - Returns: The homes whose commits the restart waits for; if there are none, the caller restarts the ordinary
  ///   signals.
  package func restart(_ names: Set<String>, by sender: EntrySender?) -> [Home] {
    running.filter { $0.restart(names, by: sender) }.map(\.home)
  }

  /// Restarts the mirrors of signals that have restarted after an end.
  func restartMirrors(of names: Set<String>) { for graphs in running { graphs.restartMirrors(of: names) } }

  // MARK: Shutdown

  /// The most homes that one value passes while the daemon ends, since values may be sent in a circle.
  private static let mostRounds = 16

  /// Commits all input and releases its effects; blocks on the storage.
  package func finish() {
    let running = running
    // The effects of one home may be inputs of the next, and so on.
    var rounds = running.count > 1 ? Self.mostRounds : 0
    while rounds > 0, running.contains(where: { $0.failure == nil && !$0.isIdle }) {
      for graphs in running { graphs.commitAll() }
      rounds -= 1
    }
    for graphs in running { graphs.finish() }
  }
}
