import GraphModel
import JSON

/// Reads the sections of one graph, which may be in several files.
struct GraphReader {
  private let section: GraphSection
  private let reader: DeclarationReader
  private var name: String { section.name }

  init(_ section: GraphSection, _ reader: DeclarationReader) {
    self.section = section
    self.reader = reader
  }

  /// Returns the graph with its valid signals; the errors in the others are reported.
  func read() -> GraphDeclaration {
    var signals: [ConfigNode.Entry] = []
    var actions: [ConfigNode.Entry] = []
    var documentation: String?
    var durable: ConfigNode.Entry?
    var cluster: ConfigNode.Entry?
    var access = AccessRules()
    for part in section.parts {
      // Tests and views can name signals of any graph and so are read after all of them.
      let body = part.body
      documentation = body["doc"].flatMap { reader.string($0) } ?? documentation
      if let node = body["access"] { access = AccessRules(node, reader.context).over(access) }
      durable = single(body.entry("durable"), after: durable)
      cluster = single(body.entry("cluster"), after: cluster)
      signals += entries(of: body["signals"])
      actions += entries(of: body["actions"])
    }
    let placement = cluster.flatMap { ClusterPlacement(reading: reader.context.reader($0.value)) }
    var durability = durable.flatMap { Durability(reading: reader.context.reader($0.value)) }
    if placement != nil, durable == nil { durability = Durability() }
    let home = durability.map { _ in placement == nil ? Home.ofGraph(name) : .stream(graph: name, partition: 0) }
    let read = read(signals: unique(signals, "signal"), access, in: home)
    let callable = self.read(actions: unique(actions, "action"), access)
    if let placement, let cluster {
      let check = ClusterCheck(graph: name, placement, at: cluster.key, reader)
      check.report(read, callable, durability)
    }
    return GraphDeclaration(
      name: name, documentation: documentation, durability: durability, cluster: placement, home: home,
      signals: read + callable.flatMap(\.signals), actions: callable)
  }

  /// Returns the entry of a key that only one file may give: a later file must not weaken a guarantee.
  private func single(_ entry: ConfigNode.Entry?, after first: ConfigNode.Entry?) -> ConfigNode.Entry? {
    guard let entry, let first else { return entry ?? first }
    reader.problems.error(
      "duplicate \"\(entry.name)\" of graph \"\(name)\"", at: entry.key,
      related: .init("first given here", at: first.key.place))
    return first
  }

  private func entries(of section: ConfigNode?) -> [ConfigNode.Entry] {
    guard let section, !section.isAbsent else { return [] }
    return reader.context.reader(section).entries() ?? []
  }

  /// Returns the entries with names not given before, possibly in another file, and reports the others.
  private func unique(_ entries: [ConfigNode.Entry], _ what: String) -> [ConfigNode.Entry] {
    var first: [String: ConfigNode.Entry] = [:]
    return entries.filter { entry in
      if let earlier = first[entry.name] {
        reader.problems.error(
          "duplicate \(what) \"\(name).\(entry.name)\"", at: entry.key,
          related: .init("first declared here", at: earlier.key.place))
        return false
      }
      first[entry.name] = entry
      return true
    }
  }

  private func read(
    signals entries: [ConfigNode.Entry], _ access: AccessRules, in home: Home?
  ) -> [SignalDeclaration] {
    let plain = Shared(SignalTraits(access: access))
    return entries.flatMap { entry -> [SignalDeclaration] in
      let isNamed = reader.context.name(key: entry.key) != nil
      reader.beginSignal()
      let name = "\(name).\(entry.name)"
      let node = SignalKeys.corrected(entry.value, reader)
      let published = PublishReader(node, reader)
      guard let (body, read) = SignalReader(node, at: entry.key, reader).read(isInline: false), isNamed else {
        published.report()
        return []
      }
      let traits = read.map { own in
        var traits = own
        if var metric = own.metric {
          metric.complete(for: name, body, own)
          traits.metric = metric
        }
        traits.access = own.access.over(access)
        if traits.isOnBus && traits.access.subscribe != nil { reportRules(ofSignalOnBus: entry) }
        return Shared(traits)
      }
      reader.note(name, at: entry.key, naming: reader.named)
      let signal = SignalDeclaration(
        name: name, body: body, traits: traits ?? plain,
        written: text(of: entry.value).comparing(reader.peer(of: body)).comparing(
          reader.context.timeZones.takeLookedUp()),
        at: DeclarationPlace(entry.key), in: home)
      return [signal] + [published.read(of: signal, at: entry.key, in: home)].compactMap(\.self)
    }
  }

  private func reportRules(ofSignalOnBus entry: ConfigNode.Entry) {
    reader.problems.error(
      "all peers on a bus receive the values of a signal there, but \"\(entry.name)\" restricts subscribers: remove "
        + "the rules, or declare a signal {from: \(name).\(entry.name), dbus: true} in a graph without them",
      at: entry.value.key("dbus") ?? entry.key)
  }

  private func read(actions entries: [ConfigNode.Entry], _ access: AccessRules) -> [ActionDeclaration] {
    entries.compactMap { entry in
      let isNamed = reader.context.name(key: entry.key) != nil
      guard let mapping = reader.context.reader(entry.value).mapping(of: ActionReader.keys) else { return nil }
      let action = ActionReader("\(name).\(entry.name)", at: entry.key, mapping, reader)
      return action.read(access) { text(of: entry.value) }.flatMap { isNamed ? $0 : nil }
    }
  }

  private func text(of node: ConfigNode) -> DeclarationText { reader.context.text(of: node) }
}

extension ReadingContext {
  /// Returns a signal's declaration as text.
  ///
  /// A reload compares it with `${…}` replaced, without the keys applied in place.
  func text(of node: ConfigNode) -> DeclarationText {
    let entries = node.entries ?? []
    let inPlace = TraitReader.appliedInPlace(of: node)
    if !node.hasPlaceholders, inPlace.isEmpty {
      return DeclarationText(declared: declaration(of: node), compared: nil)
    }
    if node.entries == nil { return DeclarationText(declared: declaration(of: node), compared: expanded(node)) }
    var compared = JSONObject()
    for part in entries where !inPlace.contains(part.name) {
      compared[part.name] = expanded(part.value)
    }
    return DeclarationText(declared: declaration(of: node), compared: .object(compared))
  }
}
