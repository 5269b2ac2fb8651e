/// The verdict that a reload would have, and what signals would forget by it.
package struct ReloadForecast {
  /// One signal that would start afresh, or be no more.
  package struct Loss {
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
  }

  package let verdict: ReloadVerdict
  /// In the order of the old file; those that would lose nothing are left out.
  package let losses: [Loss]
}

extension GraphRuntime {
  /// Says what a reload would do, and does nothing.
  package func forecast(_ new: Configuration) -> ReloadForecast {
    let changes = ConfigurationChanges(
      from: configuration, to: new, running: started, generation: generation + 1)
    let memories = DeclaredMemories(of: configuration)
    let lost = Set(changes.told.changed + changes.told.removed)
    let losses = signals.filter { lost.contains($0.name) }.compactMap { signal -> ReloadForecast.Loss? in
      let memories = signal.ending == nil ? memories.names(of: signal.name) : []
      let values = signal.retained.count
      guard !memories.isEmpty || values > 0 else { return nil }
      return ReloadForecast.Loss(
        signal: signal.name, reason: changes.reason(toReplace: signal.declaration, by: new), memories: memories,
        values: values)
    }
    return ReloadForecast(verdict: changes.told, losses: losses)
  }
}

extension ConfigurationChanges {
  /// Why a signal does not go on.
  fileprivate func reason(toReplace old: SignalDeclaration, by new: Configuration) -> ReloadForecast.Reason {
    guard let declaration = new.buildOrder.first(where: { $0.name == old.name }) else { return .removed }
    guard declaration.fingerprint == old.fingerprint else { return .changed }
    let cause = declaration.upstream.first { !kept.contains($0) && !OwnSignals.names.contains($0) }
    return cause.map { .computed(from: $0) } ?? .changed
  }
}
