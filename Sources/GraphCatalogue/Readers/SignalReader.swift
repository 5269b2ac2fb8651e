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
    let onError = onError()
    guard let source else { return nil }
    let body = SignalBody(source: source, pipe: pipe ?? [], onError: onError)
    if body.isOnNetwork { checkNetwork(of: body, traits, isInline: isInline) }
    if let traits, !isInline { checkRun(of: body, traits) }
    guard pipe != nil else { return nil }
    checkRestarts(of: body)
    if let traits, !isInline { checkMetric(of: body, traits) }
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
      let known = Catalogue.sources.map(\.name).joined(separator: ", ")
      reader.problems.error("a signal needs a source, one of: \(known)", at: head)
      return nil
    }
    if found.count > 1 {
      reader.problems.error(
        "a signal has exactly one source, and this one already has \"\(first.name)\"",
        at: node.key(found[1].name) ?? head,
        related: .init("the first source", at: first.key.place))
      for source in found {
        if let entry = node.entry(source.name) { _ = prepare(source, entry) }
      }
      return nil
    }
    return prepare(declaration, first)
  }

  private func prepare(_ source: SourceDeclaration, _ entry: ConfigNode.Entry) -> (any PreparedSource)? {
    source.prepare(entry.value, entry.key, { node.entry($0) }, reader)
  }
}
