extension Configuration {
  /// True if a graph's state outlives the daemon.
  package var isDurable: Bool { graphs.contains { $0.home != nil } }

  /// The homes of its durable graphs, in the order of the file.
  package var homes: [Home] {
    graphs.compactMap(\.home).reduce(into: []) { homes, home in
      if !homes.contains(home) { homes.append(home) }
    }
  }

  /// The homes whose state logs are in streams, which the nodes of a cluster share.
  package var clusteredHomes: [Home] { graphs.filter { $0.cluster != nil }.compactMap(\.home) }

  /// The homes whose state logs are on this machine.
  package var localHomes: [Home] {
    let clustered = clusteredHomes
    return clustered.isEmpty ? homes : homes.filter { !clustered.contains($0) }
  }

  /// Returns the durable graphs of a home.
  package func graphs(in home: Home) -> [GraphDeclaration] { graphs.filter { $0.home == home } }

  /// Returns the names of the durable signals of a home.
  package func names(in home: Home) -> Set<String> { Set(buildOrder.filter { $0.home == home }.map(\.name)) }

  /// Returns the durable graphs of a home, with the signals of all others that they follow or send to; these become
  /// mirrors.
  package func part(of home: Home) -> Configuration {
    let signals = Dictionary(uniqueKeysWithValues: buildOrder.map { ($0.name, $0) })
    var needed = names(in: home)
    var open = Array(needed)
    while let name = open.popLast() {
      guard let signal = signals[name], signal.home == home || signal.isCold else { continue }
      for other in signal.upstream + signal.body.targets where needed.insert(other).inserted { open.append(other) }
    }
    return keeping(needed)
  }

  /// Returns the configuration with only the given signals and the actions that they call, without tests.
  package func keeping(_ names: Set<String>) -> Configuration {
    let kept = buildOrder.filter { names.contains($0.name) }
    let called = Set(kept.flatMap(\.body.calls))
    var part = Configuration(
      server: server, graphs: graphs.map { $0.keeping(names, calling: called) }, tests: [], buildOrder: kept,
      timeZones: timeZones, warnings: warnings, openReferences: openReferences, files: files)
    part.readsText = readsText
    return part
  }
}

extension SignalDeclaration {
  /// True if each subscriber has a run of its own.
  package var isCold: Bool { traits.run == .cold }
}

extension GraphDeclaration {
  /// Returns a copy with only the given signals and the actions among `actionNames`.
  fileprivate func keeping(_ names: Set<String>, calling actionNames: Set<String>) -> GraphDeclaration {
    GraphDeclaration(
      name: name, documentation: documentation, durability: durability, cluster: cluster, home: home,
      signals: signals.filter { names.contains($0.name) },
      actions: actions.filter { actionNames.contains($0.name) })
  }
}
