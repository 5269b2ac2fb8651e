import JSON

/// Reads one of a graph's `actions`.
struct ActionReader {
  /// The keys of an action.
  static let keys = ["exec", "format", "enabled_if", "timeout", "doc", "access"]

  private let name: String
  private let head: ConfigNode
  private let mapping: MappingReader
  private let reader: DeclarationReader

  /// - Parameters:
  ///   - name: Its full name.
  ///   - head: The key that names it.
  init(_ name: String, at head: ConfigNode, _ mapping: MappingReader, _ reader: DeclarationReader) {
    self.name = name
    self.head = head
    self.mapping = mapping
    self.reader = reader
  }

  /// The action, or `nil` after everything wrong with it was reported.
  ///
  /// - Parameters:
  ///   - access: The graph's rules.
  ///   - written: Its text, to be asked for once it has been read.
  func read(_ access: AccessRules, written: () -> DeclarationText) -> ActionDeclaration? {
    reader.beginSignal()
    let errors = reader.problems.errorCount
    let command = mapping.required("exec").flatMap { Command.read($0.node, reading("exec")) }
    let format = mapping.optional("format").map { LineFormat.read($0.node, reading("format")) } ?? .text
    let condition = mapping.optional("enabled_if").map { reader.reference($0.node) }
    let timeout = mapping.optional("timeout")?.duration(in: .milliseconds(1)...DurationText.longest)
    var traits = SignalTraits()
    traits.documentation = mapping.optional("doc")?.string()
    if let own = mapping.optional("access") { traits.access = AccessRules(own.node, reader.context) }
    traits.access = traits.access.over(access)
    mapping.finish()
    guard let command, let format, reader.problems.errorCount == errors else { return nil }
    let written = written()
    let signals = ActionSignal.allCases.map { declaration(of: $0, condition ?? nil, traits, written) }
    return ActionDeclaration(
      name: name, access: traits.access, command: command, format: format, timeout: timeout, signals: signals)
  }

  private func declaration(
    of signal: ActionSignal, _ condition: SignalReference?, _ traits: SignalTraits, _ written: DeclarationText
  ) -> SignalDeclaration {
    var traits = traits
    traits.documentation = traits.documentation.map { "\($0): \(signal.rawValue)" } ?? signal.documentation
    let references = signal == .enabled ? [condition].compactMap(\.self) : []
    let entry = reader.nextPlace()
    let source = BuiltInSource(
      name: "action", kind: .action, isHeld: signal.isHeld, references: references,
      ranks: Ranks(entry: entry, exit: reader.nextPlace())
    ) { [name] context in
      context.action(named: name).stream(of: signal, enabledIf: references.first, context)
    }
    let full = "\(name).\(signal.rawValue)"
    reader.note(full, at: head, naming: signal == .enabled ? reader.named : [])
    return SignalDeclaration(
      name: full, body: SignalBody(source: source, pipe: [], onError: nil), traits: Shared(traits), written: written)
  }

  private func reading(_ parameter: String) -> ParameterReading {
    ParameterReading(reader: reader, name: "\(parameter) of \(name)", minimum: 0, maximum: 0, variables: [])
  }
}
