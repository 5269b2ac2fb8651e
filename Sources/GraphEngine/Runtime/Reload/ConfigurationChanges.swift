package import GraphModel

/// The differences between two configurations, signal by signal.
package struct ConfigurationChanges {
  package private(set) var verdict: ReloadVerdict
  /// The signals that keep running: neither their own declarations nor those they are computed from have changed.
  package private(set) var kept: Set<String> = []

  /// - Parameters:
  ///   - running: The settings that the daemon was started with.
  ///   - discarded: The signals that are replaced although they have not changed.
  package init(
    from old: Configuration, to new: Configuration, running: ServerSettings, generation: UInt64,
    discarding discarded: Set<String> = []
  ) {
    verdict = ReloadVerdict(generation: generation)
    published = verdict
    verdict.needsRestart = new.server.settingsThatNeedRestart(since: running)
    let before = Dictionary(uniqueKeysWithValues: old.buildOrder.map { ($0.name, $0) })
    for signal in new.buildOrder where !discarded.contains(signal.name) && isKept(signal, before[signal.name]) {
      kept.insert(signal.name)
    }
    for signal in new.graphs.flatMap(\.signals).map(\.name) {
      if kept.contains(signal) {
        verdict.kept.append(signal)
      } else if before[signal] != nil {
        verdict.changed.append(signal)
      } else {
        verdict.added.append(signal)
      }
    }
    let remaining = Set(new.buildOrder.map(\.name))
    verdict.removed = old.graphs.flatMap(\.signals).map(\.name).filter { !remaining.contains($0) }
    let hidden = Set(
      (old.buildOrder.filter { !remaining.contains($0.name) } + new.buildOrder).filter(\.traits.isPrivate).map(\.name))
    published = verdict.without(hidden)
  }

  /// The verdict for clients, without private signals.
  package private(set) var published: ReloadVerdict

  private func isKept(_ signal: SignalDeclaration, _ before: SignalDeclaration?) -> Bool {
    guard let before, before.fingerprint == signal.fingerprint else { return false }
    return signal.upstream.allSatisfy { kept.contains($0) || OwnGraph.signals.contains($0) }
  }
}
