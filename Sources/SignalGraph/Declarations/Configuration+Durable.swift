extension Configuration {
  /// Whether a graph of it outlives the daemon.
  package var isDurable: Bool { graphs.contains { $0.durability != nil } }

  /// The names of its durable signals.
  package var durableNames: [String] { buildOrder.filter(\.isDurable).map(\.name) }

  /// The durable graphs, with the signals of others that they hear or send to, which are mirrors there.
  package var durablePart: Configuration {
    let signals = Dictionary(uniqueKeysWithValues: buildOrder.map { ($0.name, $0) })
    var needed = Set(buildOrder.filter(\.isDurable).map(\.name))
    var open = Array(needed)
    while let name = open.popLast() {
      guard let signal = signals[name], signal.isDurable || signal.isCold else { continue }
      for other in signal.upstream + signal.body.targets where needed.insert(other).inserted { open.append(other) }
    }
    let called = Set(buildOrder.filter { needed.contains($0.name) }.flatMap(\.body.calls))
    return Configuration(
      server: server, graphs: graphs.map { $0.keeping(needed, calling: called) }, tests: [],
      buildOrder: buildOrder.filter { needed.contains($0.name) }, timeZones: timeZones, warnings: warnings,
      openReferences: openReferences, files: files)
  }
}

extension SignalDeclaration {
  /// Whether it runs for each of its listeners by itself.
  package var isCold: Bool { traits.run == .cold }
}

extension GraphDeclaration {
  /// The same with some of its signals, and of its actions those that these call.
  fileprivate func keeping(_ names: Set<String>, calling actionNames: Set<String>) -> GraphDeclaration {
    GraphDeclaration(
      name: name, documentation: documentation, durability: durability,
      signals: signals.filter { names.contains($0.name) },
      actions: actions.filter { actionNames.contains($0.name) })
  }
}
