import Base
import GraphEngine
import GraphModel

/// Reads one signal: exactly one source, an optional pipe, and traits.
struct SignalReader {
  private let node: ConfigNode
  /// The place for problems with the signal as a whole.
  private let head: ConfigNode
  private let reader: DeclarationReader
  private let entries: [ConfigNode.Entry]

  init(_ node: ConfigNode, at head: ConfigNode, _ reader: DeclarationReader) {
    self.node = node
    self.head = head
    self.reader = reader
    entries = node.entries ?? []
  }

  /// Returns the body and any traits, or `nil` after reporting every error in them.
  func read(isInline: Bool) -> (body: SignalBody, traits: SignalTraits?)? {
    guard node.entries != nil else {
      reader.problems.error(
        "a signal must be a mapping with a source, such as \"input: {}\" or \"from: other\"", at: head)
      return nil
    }
    let source = source()
    let pipe = node["pipe"].map { PipeReader($0, reader).read() } ?? []
    let traits = TraitReader(node, reader).read(isInline: isInline)
    reportUnknownKeys()
    guard let source, let pipe else { return nil }
    let body = SignalBody(source: source, pipe: pipe, onError: onError())
    checkRestarts(of: body)
    if body.isOnNetwork { checkNetwork(of: body, traits, isInline: isInline) }
    if let traits, !isInline {
      checkRun(of: body, traits)
      checkMetric(of: body, traits)
    }
    return (body, traits)
  }

  /// Rejects a lazy or cold signal that takes values: these arrive at any time and cannot wait for a subscriber.
  private func checkRun(of body: SignalBody, _ traits: SignalTraits) {
    guard traits.run != .always, body.source.takesValues else { return }
    let trait = traits.run == .cold ? "cold" : "lazy"
    reader.problems.error(
      "\"\(trait)\" is not allowed on a signal that takes values: declare a signal computed from it, as in "
        + "{from: …, \(trait): true}",
      at: node.key(trait) ?? head)
  }

  /// Rejects a metric of values that are declared to be neither numbers nor booleans.
  private func checkMetric(of body: SignalBody, _ traits: SignalTraits) {
    guard let metric = traits.metric, metric.value == nil, body.pipe.isEmpty, let type = body.source.acceptedType,
      [.string, .object, .array].contains(type.word)
    else { return }
    reader.problems.error(
      "a metric is a number or a boolean, and this signal takes \(type.word.rawValue)s: give its \"value\", as in "
        + "{value: .level}", at: node.key("metric") ?? head)
  }

  /// Rejects sources on the network that would run more than once under a name: adapters know them by the name.
  private func checkNetwork(of body: SignalBody, _ traits: SignalTraits?, isInline: Bool) {
    if isInline {
      reader.problems.error(
        "\"\(body.source.name)\" needs a signal with a name of its own: declare it as one, and name that here", at: node
      )
    } else if traits?.run == .cold {
      reader.problems.error(
        "\"\(body.source.name)\" cannot be cold: let a signal {from: …, cold: true} follow this one",
        at: node.key("cold") ?? head)
    }
  }

  private func onError() -> ErrorPolicy? {
    node["on_error"].flatMap {
      ErrorPolicy.read(
        $0, ParameterReading(reader: reader, name: "on_error", minimum: 0, maximum: 0, variables: []))
    }
  }

  /// Rejects an operator that restarts a shared signal, which would end again at once.
  private func checkRestarts(of body: SignalBody) {
    guard let step = body.pipe.first(where: \.part.startsItsInputAgain), let name = body.passedOn,
      let place = reader.named.first(where: { $0.name == name })?.place
    else { return }
    reader.whenAllAreRead { [problems = reader.problems] signals in
      guard signals[name]?.traits.run != .cold else { return }
      problems.error(
        "\(step.name) cannot restart \"\(name)\": it is shared and would end again at once; "
          + "declare the source here, or make it \"cold: true\"",
        at: place)
    }
  }

  private func source() -> (any PreparedSource)? {
    let found = Catalogue.sources(among: node)
    guard let declaration = found.first, let first = entries.first(where: { $0.name == declaration.name }) else {
      if !entries.contains(where: { isMisspelled($0) }) {
        let known = Catalogue.sources.map(\.name).joined(separator: ", ")
        reader.problems.error("a signal needs a source, one of: \(known)", at: head)
      }
      return nil
    }
    if found.count > 1 {
      reader.problems.error(
        "a signal has exactly one source, and this one already has \"\(first.name)\"",
        at: node.key(found[1].name) ?? head,
        related: .init("the first source", at: first.key.place))
      return nil
    }
    return declaration.prepare(first.value, first.key, { node.entry($0) }, reader)
  }

  /// Returns true if a key looks like a misspelt source, so that its own error is enough.
  private func isMisspelled(_ entry: ConfigNode.Entry) -> Bool {
    !knownKeys.contains(entry.name)
      && Suggestion.likely(for: entry.name, among: Catalogue.sources.map(\.name)) != nil
  }

  private var knownKeys: [String] {
    let beside = Catalogue.sources.filter { node[$0.name] != nil }.flatMap(\.parameters)
      .filter(\.isBeside).flatMap(\.names)
    return Catalogue.sources.map(\.name) + ["pipe"] + TraitReader.names + beside
  }

  /// The keys that every signal may have, for a fast check.
  private static let commonKeys = Set(Catalogue.sources.map(\.name) + ["pipe"] + TraitReader.names)

  private func reportUnknownKeys() {
    let unusual = entries.filter { !Self.commonKeys.contains($0.name) }
    if unusual.isEmpty { return }
    let known = knownKeys
    for entry in unusual where !known.contains(entry.name) {
      if Catalogue.operator(named: entry.name) != nil {
        reader.problems.error(
          "\"\(entry.name)\" is an operator: write it as an item of \"pipe\"", at: entry.key)
      } else if let source = Catalogue.sources.first(where: { node[$0.name] != nil && $0.hasInside(entry.name) }) {
        reader.problems.error(
          "\"\(entry.name)\" belongs to \"\(source.name)\": write it as \"\(source.name): {\(entry.name): …}\"",
          at: entry.key)
      } else {
        reader.unknown("key of a signal", entry.name, at: entry.key, among: known)
      }
    }
  }
}

extension SourceDeclaration {
  /// Returns true if a parameter with that name is written beside the source's key.
  package func hasBeside(_ name: String) -> Bool { parameters.contains { $0.names.contains(name) && $0.isBeside } }

  /// Returns true if a parameter with that name is written inside the source's braces.
  fileprivate func hasInside(_ name: String) -> Bool {
    parameters.contains { $0.names.contains(name) && !$0.isBeside }
  }
}
