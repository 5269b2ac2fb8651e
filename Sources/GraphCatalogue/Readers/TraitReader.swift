import GraphModel

/// Reads the traits of a signal, that is everything apart from its computation.
struct TraitReader {
  static let names = SignalTraits.names
  private static let keys = Set(SignalTraits.names + [SignalTraits.formerUnit])
  /// The keys that have no meaning for a signal without a name.
  private static let forNamed = [
    "hold", "replay", "lazy", "cold", "access", "backpressure", "severity", "dbus", "private", "publish", "entity",
    "metric",
  ]
  /// The keys that a reload applies in place, unless they are the source.
  private static let appliedInPlace: Set = [
    "doc", "access", "unit_of_measurement", SignalTraits.formerUnit, "precision", "severity", "dbus", "private",
    "publish", "entity", "metric",
  ]

  /// Returns the keys of a signal that a reload applies in place.
  static func appliedInPlace(of node: ConfigNode) -> Set<String> {
    let keys = appliedInPlace.intersection((node.entries ?? []).map(\.name))
    return keys.isEmpty ? [] : keys.subtracting(Catalogue.sources(among: node).map(\.name))
  }

  private let node: ConfigNode
  private let reader: DeclarationReader

  init(_ node: ConfigNode, _ reader: DeclarationReader) {
    self.node = node
    self.reader = reader
  }

  /// Returns true if a key gives a trait and not the source with that name.
  private func isTrait(_ entry: ConfigNode.Entry) -> Bool {
    guard Self.keys.contains(entry.name) else { return false }
    return Catalogue.source(named: entry.name) == nil
      || !Catalogue.sources(among: node).contains { $0.name == entry.name }
  }

  /// Returns the value of a trait, if given.
  private func trait(_ name: String) -> ConfigNode? {
    node.entries?.first { $0.name == name && isTrait($0) }?.value
  }

  /// Reads the traits of a signal; `nil` if it gives none.
  func read(isInline: Bool) -> SignalTraits? {
    guard node.entries?.contains(where: isTrait) == true else { return nil }
    var traits = SignalTraits()
    if isInline {
      for name in Self.forNamed where trait(name) != nil {
        reader.problems.error(
          "\"\(name)\" requires a named signal: an inline signal has no subscribers", at: node.key(name) ?? node)
      }
    }
    readHold(into: &traits)
    readReplay(into: &traits)
    readRun(into: &traits)
    traits.documentation = node["doc"].flatMap { reader.string($0) }
    traits.unit = unitOfMeasurement().flatMap { reader.string($0) }
    traits.precision = trait("precision").flatMap { Int.read($0, reading("precision", maximum: Self.mostDecimals)) }
    traits.severity = trait("severity").flatMap { SeverityReader(reader: reader).read($0) }
    traits.hasBackpressure = node["backpressure"].flatMap { reader.bool($0) } ?? false
    traits.isPrivate = node["private"].flatMap { reader.bool($0) } ?? false
    readBus(into: &traits)
    readMetric(into: &traits)
    if let access = node["access"] { traits.access = AccessRules(access, reader.context) }
    return traits
  }

  private func unitOfMeasurement() -> ConfigNode? {
    let (name, current) = ("unit_of_measurement", trait("unit_of_measurement"))
    guard let former = trait(SignalTraits.formerUnit), let key = node.key(SignalTraits.formerUnit) else {
      return current
    }
    reader.problems.deprecated(key, nowCalled: name)
    if let current {
      reader.problems.error("duplicate \"\(name)\"", at: key, related: .init("also given here", at: current.place))
    }
    return current ?? former
  }

  private func readHold(into traits: inout SignalTraits) {
    guard let hold = node["hold"] else { return }
    guard let given = hold.entries else {
      if reader.bool(hold) == true { traits.retention.count = 1 }
      return
    }
    traits.retention.count = 1
    let named = hold.with(reader.problems.entries(given, named: ["initial"], as: "parameter of hold"))
    traits.initial = named["initial"].flatMap { reader.json($0) }
    if named["initial"] == nil { reader.problems.error("hold takes true, or {initial: value}", at: hold) }
  }

  /// The number of values kept if only their age is bounded.
  private static let greatestReplay = 100_000

  private func readReplay(into traits: inout SignalTraits) {
    guard let replay = node["replay"] else { return }
    var count: ConfigNode? = replay
    if let given = replay.entries {
      let replay = replay.with(reader.problems.entries(given, named: ["count", "for"], as: "parameter of replay"))
      count = replay["count"]
      traits.retention.age = replay["for"].flatMap { reader.context.reader($0).duration() }
      if given.isEmpty { reader.problems.error("replay takes a count, or {count, for}", at: replay) }
    }
    if traits.retention.age != nil, let hold = node.key("hold") {
      reader.problems.error(
        "hold and replay {for} exclude each other: hold keeps the last value without limit", at: hold)
    }
    let kept = count.map { Int.read($0, reading("replay", minimum: 1)) ?? 0 } ?? Self.greatestReplay
    traits.retention.count = max(traits.retention.count, kept)
  }

  private func readRun(into traits: inout SignalTraits) {
    let isLazy = node["lazy"].flatMap { reader.bool($0) } ?? false
    let isCold = node["cold"].flatMap { reader.bool($0) } ?? false
    if isLazy { traits.run = .lazy }
    guard isCold else { return }
    traits.run = .cold
    for name in ["lazy", "hold", "replay", "backpressure"] where node[name] != nil {
      reader.problems.error(
        "\"\(name)\" is not allowed on a cold signal, which runs once per subscriber",
        at: node.key(name) ?? node)
    }
  }

  /// Reads `dbus`.
  ///
  /// All peers on a bus receive a signal's values at all times, so it is neither private, lazy nor cold.
  private func readBus(into traits: inout SignalTraits) {
    guard let bus = trait("dbus"), reader.bool(bus) == true else { return }
    traits.isOnBus = true
    let place = node.key("dbus") ?? bus
    if traits.isPrivate {
      reader.problems.error("a private signal cannot be on a bus, where all peers see it", at: place)
    }
    if traits.run != .always {
      let run = traits.run == .cold ? "cold" : "lazy"
      reader.problems.error(
        "\"\(run)\" is not allowed on a signal on a bus, which always runs: put a signal computed from it on the "
          + "bus, as in {from: …, dbus: true}",
        at: place)
    }
    if !reader.context.hasBus {
      reader.problems.warning("dbus: true requires a bus: set server.dbus", at: place)
    }
  }

  /// Reads `metric`.
  ///
  /// Metrics show the values of a signal, and a cold one has none of its own.
  private func readMetric(into traits: inout SignalTraits) {
    guard let node = trait("metric"), let key = self.node.key("metric") else { return }
    traits.metric = MetricReader(reader: reader).read(node, at: key, unit: traits.unit)
    if traits.isPrivate { reader.problems.error("a private signal cannot be a metric, which clients see", at: key) }
    if traits.run == .cold {
      reader.problems.error("\"metric\" is not allowed on a cold signal, which runs once per subscriber", at: key)
    }
  }

  /// The number of decimals that a number of JSON has at most.
  private static let mostDecimals = 15

  private func reading(_ name: String, minimum: Int = 0, maximum: Int = 100_000) -> ParameterReading {
    ParameterReading(reader: reader, name: name, minimum: minimum, maximum: maximum, variables: [])
  }
}

extension ConfigNode {
  /// Returns the key itself, for messages about it.
  func key(_ name: String) -> ConfigNode? {
    entries?.first { $0.name == name }?.key
  }
}
