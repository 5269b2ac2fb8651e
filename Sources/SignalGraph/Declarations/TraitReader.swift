/// Reads what a signal does beside computing.
struct TraitReader {
  /// The keys of a signal that are neither its source nor its pipe.
  static let names = [
    "hold", "replay", "lazy", "cold", "on_error", "access", "backpressure", "doc", "unit", "dbus", "private",
  ]
  private static let keys = Set(names)
  /// The keys that make no sense for a signal without a name.
  private static let forNamed = ["hold", "replay", "lazy", "cold", "access", "backpressure", "dbus", "private"]
  /// The keys that a reload applies in place, unless they are the source.
  private static let appliedInPlace: Set = ["doc", "access", "unit", "dbus", "private"]

  /// Those of a signal's keys that a reload applies in place.
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

  /// Whether a key gives a trait, and not the source of the same name.
  private func isTrait(_ entry: ConfigNode.Entry) -> Bool {
    guard Self.keys.contains(entry.name) else { return false }
    return Catalogue.source(named: entry.name) == nil
      || !Catalogue.sources(among: node).contains { $0.name == entry.name }
  }

  /// The value of a trait, if it is given.
  private func trait(_ name: String) -> ConfigNode? {
    node.entries?.first { $0.name == name && isTrait($0) }?.value
  }

  /// The traits of a signal; `nil` if it gives none.
  func read(isInline: Bool) -> SignalTraits? {
    guard node.entries?.contains(where: isTrait) == true else { return nil }
    var traits = SignalTraits()
    if isInline {
      for name in Self.forNamed where trait(name) != nil {
        reader.problems.error(
          "\"\(name)\" is for signals that have a name: nobody can subscribe to this one", at: node.key(name) ?? node)
      }
    }
    readHold(into: &traits)
    readReplay(into: &traits)
    readRun(into: &traits)
    traits.documentation = node["doc"].flatMap { reader.string($0) }
    traits.unit = trait("unit").flatMap { reader.string($0) }
    traits.hasBackpressure = node["backpressure"].flatMap { reader.bool($0) } ?? false
    traits.isPrivate = node["private"].flatMap { reader.bool($0) } ?? false
    readBus(into: &traits)
    if let access = node["access"] { traits.access = AccessRules(access, reader.context) }
    return traits
  }

  private func readHold(into traits: inout SignalTraits) {
    guard let hold = node["hold"] else { return }
    guard let entries = hold.entries else {
      if reader.bool(hold) == true { traits.retention.count = 1 }
      return
    }
    traits.retention.count = 1
    for entry in entries where entry.name != "initial" {
      reader.unknown("parameter of hold", entry.name, at: entry.key, among: ["initial"])
    }
    traits.initial = hold["initial"].flatMap { reader.json($0) }
    if hold["initial"] == nil { reader.problems.error("hold takes true, or {initial: value}", at: hold) }
  }

  /// The number of values that are kept where only their age is bounded.
  private static let greatestReplay = 100_000

  private func readReplay(into traits: inout SignalTraits) {
    guard let replay = node["replay"] else { return }
    var count: ConfigNode? = replay
    if let entries = replay.entries {
      count = replay["count"]
      traits.retention.age = replay["for"].flatMap { reader.context.reader($0).duration() }
      for entry in entries where entry.name != "count" && entry.name != "for" {
        reader.unknown("parameter of replay", entry.name, at: entry.key, among: ["count", "for"])
      }
      if entries.isEmpty { reader.problems.error("replay takes a count, or {count, for}", at: replay) }
    }
    if traits.retention.age != nil, let hold = node.key("hold") {
      reader.problems.error("hold keeps the last value for ever, and replay {for} does not: choose one", at: hold)
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
        "a cold signal runs for each subscriber by itself, so that \"\(name)\" means nothing",
        at: node.key(name) ?? node)
    }
  }

  /// Everybody on a bus hears what is announced there, at all times.
  private func readBus(into traits: inout SignalTraits) {
    guard let bus = trait("dbus"), reader.bool(bus) == true else { return }
    traits.isOnBus = true
    let place = node.key("dbus") ?? bus
    if traits.isPrivate {
      reader.problems.error("a private signal cannot be on a bus, where everybody sees it", at: place)
    }
    if traits.run != .always {
      let run = traits.run == .cold ? "cold" : "lazy"
      reader.problems.error(
        "a signal on a bus runs all the time, so that \"\(run)\" means nothing: put one that is computed from it on the "
          + "bus, as in {from: …, dbus: true}",
        at: place)
    }
    if !reader.context.hasBus {
      reader.problems.warning("there is no bus that this signal could be on: server.dbus names none", at: place)
    }
  }

  private func reading(_ name: String, minimum: Int = 0) -> ParameterReading {
    ParameterReading(reader: reader, name: name, minimum: minimum, maximum: 100_000, variables: [])
  }
}

extension ConfigNode {
  /// The key itself, for messages about it.
  func key(_ name: String) -> ConfigNode? {
    entries?.first { $0.name == name }?.key
  }
}
