/// The differences between two configurations, signal by signal.
package struct ConfigurationChanges {
  package private(set) var verdict: ReloadVerdict
  /// The signals that go on: neither their own declarations changed nor those of what they are computed from.
  package private(set) var kept: Set<String> = []

  /// - Parameters:
  ///   - running: The settings that the daemon was started with.
  ///   - forgotten: Signals that do not go on although they have not changed.
  package init(
    from old: Configuration, to new: Configuration, running: ServerSettings, generation: UInt64,
    forgetting forgotten: Set<String> = []
  ) {
    verdict = ReloadVerdict(generation: generation)
    told = verdict
    verdict.needsRestart = new.server.settingsThatNeedRestart(since: running)
    let before = Dictionary(uniqueKeysWithValues: old.buildOrder.map { ($0.name, $0) })
    for signal in new.buildOrder where !forgotten.contains(signal.name) && isKept(signal, before[signal.name]) {
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
    told = verdict.without(hidden)
  }

  /// The verdict as clients are told it: without the signals that none of them sees.
  package private(set) var told: ReloadVerdict

  private func isKept(_ signal: SignalDeclaration, _ before: SignalDeclaration?) -> Bool {
    guard let before, before.fingerprint == signal.fingerprint else { return false }
    return signal.upstream.allSatisfy { kept.contains($0) || OwnSignals.names.contains($0) }
  }
}
