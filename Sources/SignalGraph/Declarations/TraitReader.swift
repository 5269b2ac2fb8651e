/// Reads what a signal does beside computing.
struct TraitReader {
  /// The keys of a signal that are neither its source nor its pipe.
  static let names = applied + planned
  private static let applied = ["hold", "replay", "on_error", "access", "doc", "unit", "private"]
  private static let planned = ["lazy", "cold", "backpressure"]
  /// The keys that a reload applies in place.
  static let appliedInPlace: Set = ["doc", "access", "unit", "private"]

  private let node: ConfigNode
  private let reader: DeclarationReader

  init(_ node: ConfigNode, _ reader: DeclarationReader) {
    self.node = node
    self.reader = reader
  }

  func read(isInline: Bool) -> SignalTraits {
    var traits = SignalTraits()
    for name in Self.planned where node[name] != nil {
      reader.problems.error("\"\(name)\" is not supported yet", at: node.key(name) ?? node)
    }
    if isInline {
      for name in ["hold", "replay", "access", "private"] where node[name] != nil {
        reader.problems.error(
          "\"\(name)\" is for signals that have a name: nobody can subscribe to this one", at: node.key(name) ?? node)
      }
    }
    readHold(into: &traits)
    readReplay(into: &traits)
    if let policy = node["on_error"] { traits.onError = ErrorPolicy.read(policy, reading("on_error")) ?? .drop }
    traits.documentation = node["doc"].flatMap { reader.string($0) }
    traits.unit = node["unit"].flatMap { reader.string($0) }
    traits.isPrivate = node["private"].flatMap { reader.bool($0) } ?? false
    if let access = node["access"] { traits.access = AccessRules(access, reader.context) }
    return traits
  }

  private func readHold(into traits: inout SignalTraits) {
    guard let hold = node["hold"] else { return }
    guard let entries = hold.entries else {
      if reader.bool(hold) == true { traits.retention = 1 }
      return
    }
    traits.retention = 1
    for entry in entries where entry.name != "initial" {
      reader.unknown("parameter of hold", entry.name, at: entry.key, among: ["initial"])
    }
    traits.initial = hold["initial"].flatMap { reader.json($0) }
    if hold["initial"] == nil { reader.problems.error("hold takes true, or {initial: value}", at: hold) }
  }

  private func readReplay(into traits: inout SignalTraits) {
    guard let replay = node["replay"] else { return }
    var count: ConfigNode? = replay
    if let entries = replay.entries {
      count = replay["count"]
      for entry in entries where entry.name != "count" {
        if entry.name == "for" {
          reader.problems.error("\"for\" is not supported yet", at: entry.key)
        } else {
          reader.unknown("parameter of replay", entry.name, at: entry.key, among: ["count", "for"])
        }
      }
    }
    guard let count else { return reader.problems.error("replay needs a count", at: replay) }
    traits.retention = max(traits.retention, Int.read(count, reading("replay", minimum: 1)) ?? 0)
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
