package import GraphModel

/// The verdict that a reload would have, and the state that signals would lose by it.
package struct ReloadForecast {
  /// A signal that would start fresh or be removed.
  package struct Loss {
    /// Its name for clients.
    package let signal: String
    package let reason: Reason
    /// The sources and operators with a memory, in the order of the declaration.
    package let memories: [String]
    /// The number of values that it would no longer retain for new subscribers.
    package let values: Int
  }

  /// The reason that a signal is replaced.
  package enum Reason: Equatable {
    /// Its own declaration has changed.
    case changed
    /// It is computed from another replaced signal.
    case computed(from: String)
    case removed

    /// The description for clients.
    package var words: String {
      switch self {
      case .changed: "changed"
      case .computed(let signal): "computed from \(signal)"
      case .removed: "removed"
      }
    }
  }

  package let verdict: ReloadVerdict
  /// The replaced signals, in the order of the old file.
  package let replaced: [Loss]

  /// The replaced signals that would lose something.
  package var losses: [Loss] { replaced.filter { !$0.memories.isEmpty || $0.values > 0 } }
}

extension GraphRuntime {
  /// Returns the effects of a reload without performing it.
  ///
  /// - Parameter original: The signal in another runtime that a mirror here reflects; its body runs there.
  package func forecast(
    _ new: Configuration, mirroring original: (RunningSignal) -> RunningSignal? = { _ in nil }
  ) -> ReloadForecast {
    let changes = ConfigurationChanges(
      from: configuration, to: new, running: started, generation: generation + 1)
    return forecast(of: changes, from: configuration, to: new, mirroring: original)
  }

  /// Returns the forecast for some signals, according to changes that cover more than this runtime.
  package func forecast(
    of changes: ConfigurationChanges, from old: Configuration, to new: Configuration,
    mirroring original: (RunningSignal) -> RunningSignal? = { _ in nil },
    where isWanted: (RunningSignal) -> Bool = { _ in true }
  ) -> ReloadForecast {
    let memories = DeclaredMemories(of: old)
    let lost = Set(changes.verdict.changed + changes.verdict.removed)
    let declarations = Dictionary(uniqueKeysWithValues: new.buildOrder.map { ($0.name, $0) })
    let replaced = signals.filter { lost.contains($0.name) && isWanted($0) }.map { signal in
      let body = signal.isMirror ? original(signal) : signal
      return ReloadForecast.Loss(
        signal: signal.publicName,
        reason: changes.reason(toReplace: signal.declaration, by: declarations[signal.name]) {
          self.signal(named: $0)?.publicName ?? $0
        },
        memories: body?.isRunning ?? false ? memories.names(of: signal.name) : [], values: signal.retained.count)
    }
    return ReloadForecast(verdict: changes.published, replaced: replaced)
  }
}

extension ConfigurationChanges {
  /// Returns the reason that a signal is replaced.
  ///
  /// - Parameters:
  ///   - new: Its new declaration, if it has one.
  ///   - publicName: Returns the name of a signal for clients.
  fileprivate func reason(
    toReplace old: SignalDeclaration, by new: SignalDeclaration?, publicName: (String) -> String
  ) -> ReloadForecast.Reason {
    guard let new else { return .removed }
    guard new.fingerprint == old.fingerprint else { return .changed }
    let cause = new.upstream.first { !kept.contains($0) && !OwnGraph.signals.contains($0) }
    return cause.map { .computed(from: publicName($0)) } ?? .changed
  }
}
