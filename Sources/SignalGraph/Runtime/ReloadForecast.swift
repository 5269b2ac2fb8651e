/// The verdict that a reload would have, and what signals would forget by it.
package struct ReloadForecast {
  /// One signal that would start afresh, or be no more.
  package struct Loss {
    /// Its name, as far as clients may be told.
    package let signal: String
    package let reason: Reason
    /// The sources and operators that remember something, in the order of the declaration.
    package let memories: [String]
    /// How many values it would no longer hold for new subscribers.
    package let values: Int
  }

  /// Why a signal does not go on.
  package enum Reason: Equatable {
    /// Its own declaration has changed.
    case changed
    /// It is computed from another one that does not go on.
    case computed(from: String)
    case removed

    /// In the words in which clients are told it.
    package var words: String {
      switch self {
      case .changed: "changed"
      case .computed(let signal): "computed from \(signal)"
      case .removed: "removed"
      }
    }
  }

  package let verdict: ReloadVerdict
  /// The signals that do not go on, in the order of the old file.
  package let replaced: [Loss]

  /// Those of them that would lose something.
  package var losses: [Loss] { replaced.filter { !$0.memories.isEmpty || $0.values > 0 } }
}

extension GraphRuntime {
  /// Says what a reload would do, and does nothing.
  package func forecast(_ new: Configuration) -> ReloadForecast {
    let changes = ConfigurationChanges(
      from: configuration, to: new, running: started, generation: generation + 1)
    return forecast(of: changes, from: configuration, to: new)
  }

  /// The same by a verdict on more than what runs here, of some signals.
  package func forecast(
    of changes: ConfigurationChanges, from old: Configuration, to new: Configuration,
    where isWanted: (RunningSignal) -> Bool = { _ in true }
  ) -> ReloadForecast {
    let memories = DeclaredMemories(of: old)
    let lost = Set(changes.verdict.changed + changes.verdict.removed)
    let declarations = Dictionary(uniqueKeysWithValues: new.buildOrder.map { ($0.name, $0) })
    let replaced = signals.filter { lost.contains($0.name) && isWanted($0) }.map { signal in
      ReloadForecast.Loss(
        signal: signal.publicName,
        reason: changes.reason(toReplace: signal.declaration, by: declarations[signal.name]) {
          self.signal(named: $0)?.publicName ?? $0
        },
        memories: signal.isRunning ? memories.names(of: signal.name) : [], values: signal.retained.count)
    }
    return ReloadForecast(verdict: changes.told, replaced: replaced)
  }
}

extension ConfigurationChanges {
  /// Why a signal does not go on.
  ///
  /// - Parameters:
  ///   - new: Its new declaration, if it has one.
  ///   - told: The name of a signal as far as clients may be told.
  fileprivate func reason(
    toReplace old: SignalDeclaration, by new: SignalDeclaration?, told: (String) -> String
  ) -> ReloadForecast.Reason {
    guard let new else { return .removed }
    guard new.fingerprint == old.fingerprint else { return .changed }
    let cause = new.upstream.first { !kept.contains($0) && !OwnSignals.names.contains($0) }
    return cause.map { .computed(from: told($0)) } ?? .changed
  }
}
