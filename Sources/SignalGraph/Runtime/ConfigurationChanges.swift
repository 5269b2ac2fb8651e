/// What differs between two configurations, graph by graph and signal by signal.
struct ConfigurationChanges {
  private(set) var verdict: ReloadVerdict
  /// Graphs of the old configuration that end.
  private(set) var stopped: [String] = []
  /// Graphs of the new configuration that begin.
  private(set) var started: [String] = []

  /// - Parameter running: The settings that the daemon was started with.
  init(from old: Configuration, to new: Configuration, running: ServerSettings, generation: UInt64) {
    verdict = ReloadVerdict(generation: generation)
    verdict.needsRestart = new.server.settingsThatNeedRestart(since: running)
    let before = Dictionary(uniqueKeysWithValues: old.graphs.map { ($0.name, $0) })
    let known = Set(old.graphs.flatMap(\.signals).map(\.name))
    for graph in new.graphs {
      let isKept = before[graph.name]?.fingerprint == graph.fingerprint
      if !isKept { started.append(graph.name) }
      for signal in graph.signals.map(\.name) {
        if isKept {
          verdict.kept.append(signal)
        } else if known.contains(signal) {
          verdict.changed.append(signal)
        } else {
          verdict.added.append(signal)
        }
      }
    }
    let after = Set(new.graphs.map(\.name)).subtracting(started)
    stopped = old.graphs.map(\.name).filter { !after.contains($0) }
    let remaining = Set(new.graphs.flatMap(\.signals).map(\.name))
    verdict.removed = old.graphs.flatMap(\.signals).map(\.name).filter { !remaining.contains($0) }
  }
}
