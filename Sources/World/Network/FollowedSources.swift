import GraphEngine
import GraphModel

/// The sources on the network that signals follow, by the full names of the signals.
struct FollowedSources {
  private var running: [String: FollowedSource] = [:]
  /// The signals whose sources have ended since adapters were last notified.
  private var ended: Set<String> = []

  subscript(signal: String) -> FollowedSource? { running[signal] }

  /// Adds the source of a signal in place of an earlier one.
  ///
  /// - Returns: True if its adapter still knows the earlier one.
  mutating func add(_ source: FollowedSource) -> Bool {
    let signal = source.source.signal
    return running.updateValue(source, forKey: signal) != nil || ended.contains(signal)
  }

  /// Removes a source, unless its signal has another one by now.
  ///
  /// - Returns: True if it was removed.
  mutating func remove(_ source: FollowedSource) -> Bool {
    let signal = source.source.signal
    guard running[signal] === source else { return false }
    running[signal] = nil
    ended.insert(signal)
    return true
  }

  /// Notes that adapters have been notified of all changes.
  mutating func didReport() { ended = [] }

  /// Returns the sources for adapters of some kinds, in the order of their signals.
  func sources(of kinds: Set<PeerKind>) -> [FollowedSource] {
    running.values.filter { kinds.contains($0.source.kind) }.sorted { $0.source.signal < $1.source.signal }
  }
}
