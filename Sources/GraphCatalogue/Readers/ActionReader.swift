import Base
import GraphEngine
import GraphModel
import JSON

/// Reads one of a graph's `actions`.
struct ActionReader {
  private let name: String
  private let head: ConfigNode
  private let mapping: MappingReader
  private let reader: DeclarationReader

  /// - Parameters:
  ///   - name: The action's full name.
  ///   - head: The key that names it.
  init(_ name: String, at head: ConfigNode, _ mapping: MappingReader, _ reader: DeclarationReader) {
    self.name = name
    self.head = head
    self.mapping = mapping
    self.reader = reader
  }

  /// Returns the action, or `nil` after reporting every error in it.
  ///
  /// - Parameters:
  ///   - access: The graph's rules.
  ///   - written: Returns the declaration's text; called once the action has been read.
  func read(_ access: AccessRules, written: () -> DeclarationText) -> ActionDeclaration? {
    reader.beginSignal()
    let errors = reader.problems.errorCount
    let task = task()
    let enabledIf = mapping.optional("enabled_if")?.node
    let condition = enabledIf.map { reader.reference($0) }
    let timeout = mapping.optional("timeout")?.duration(in: .milliseconds(1)...DurationText.longest)
    var traits = SignalTraits()
    traits.documentation = mapping.optional("doc")?.string()
    if let own = mapping.optional("access") { traits.access = AccessRules(own.node, reader.context) }
    traits.access = traits.access.over(access)
    let button = mapping.optional("entity").flatMap { readButton($0.node) }
    guard let task, reader.problems.errorCount == errors else { return nil }
    let whole = written()
    let signals = ActionSignal.all.map { signal in
      // Changes of other keys must not affect the pipes that call the action.
      let text = signal == .condition ? enabledIf.map(reader.context.text) ?? .absent : whole
      return declaration(of: signal, condition ?? nil, traits, text)
    }
    return ActionDeclaration(
      name: name, access: traits.access, task: task, timeout: timeout, signals: signals, button: button)
  }

  static let keys = tasks + ["format", "keep", "enabled_if", "timeout", "doc", "access", "entity"]

  /// Reads `entity`: the button of Home Assistant that calls it.
  private func readButton(_ node: ConfigNode) -> NetworkAction? {
    let announcing = reader.announcingConnection(for: node)
    guard let entity = Entity.read(node, reading("entity")) else { return nil }
    if let component = entity.component, component != .button {
      reader.problems.error("an action is a button, not a \(component.rawValue)", at: node)
      return nil
    }
    guard let (connection, below) = announcing else { return nil }
    var members = entity.settings
    members["component"] = .string(EntityComponent.button.rawValue)
    members["action"] = .string(name)
    members["name"] = members["name"] ?? .string(name)
    // A signal may have the name of the action, and an entity as well.
    let button = "\(name).action"
    return NetworkAction(
      name: PublishedSignal.name(of: button), role: .sink, kind: .mqtt, connection: connection,
      settings: ["topic": .string(MQTTTopic.ofState(button, below: below)), "entity": .object(members)])
  }

  /// The keys of the tasks; an action has exactly one.
  private static let tasks = ActionTaskKey.allCases.map(\.rawValue)

  /// Reads its program, its method or its request.
  private func task() -> ActionTask? {
    let given = Self.tasks.filter { mapping.optional($0) != nil }
    let format = mapping.optional("format")
    let keep = mapping.optional("keep")
    guard let name = given.first, let entry = mapping.entry(name) else {
      reader.problems.error("\(Self.list) is missing here", at: mapping.node)
      return nil
    }
    if given.count > 1, let other = mapping.entry(given[1]) {
      reader.problems.error("an action has one task: \(Self.list)", at: other.value)
      for name in given { _ = mapping.entry(name).map { task($0, nil, nil) } }
      return nil
    }
    return task(entry, format, keep)
  }

  private func task(_ entry: ConfigNode.Entry, _ format: Reader?, _ keep: Reader?) -> ActionTask? {
    if entry.name == "exec" {
      let command = Command.read(entry.value, reading("exec"))
      let isKept = keep?.bool() ?? false
      guard let lines = format.map({ LineFormat.read($0.node, reading("format")) }) ?? .text, let command else {
        return nil
      }
      if isKept, let format, let problem = lines.problemInRecords { reader.problems.error(problem, at: format) }
      return .program(DeclaredProgram(command: command, format: lines, isKept: isKept))
    }
    if let keep { reader.problems.error("keep is for programs: it requires exec", at: keep) }
    if entry.name == "dbus" {
      if let format { reader.problems.error("format is that of lines, and a method returns values", at: format) }
      return DeclaredMethod.read(entry, reader).map(ActionTask.method)
    }
    if let format { reader.problems.error("format is that of lines, and an answer has a type of its own", at: format) }
    if entry.name == "adapter" { return AdapterRequest.read(entry, reader).map(ActionTask.adapter) }
    return DeclaredRequest.read(entry, reader).map(ActionTask.request)
  }

  private static var list: String {
    tasks.dropLast().map { "\"\($0)\"" }.joined(separator: ", ") + " or \"\(tasks.last ?? "")\""
  }

  private func declaration(
    of signal: ActionSignal, _ condition: SignalReference?, _ traits: SignalTraits, _ written: DeclarationText
  ) -> SignalDeclaration {
    var traits = traits
    traits.documentation = traits.documentation.map { "\($0): \(signal.rawValue)" } ?? signal.documentation
    traits.isPrivate = signal == .condition
    let references = references(of: signal, condition)
    let entry = reader.nextPlace()
    let source = BuiltInSource(
      name: "action", kind: .action, isHeld: signal.isHeld, references: references,
      ranks: Ranks(entry: entry, exit: reader.nextPlace())
    ) { [name] context in
      context.action(named: name).stream(of: signal, following: references.last, context)
    }
    let full = signal.name(of: name)
    reader.note(
      full, at: head,
      naming: signal == .condition ? reader.named : references.suffix(1).flatMap(\.names).map { ($0, Extent(head)) })
    return SignalDeclaration(
      name: full, body: SignalBody(source: source, pipe: [], onError: nil), traits: Shared(traits), written: written,
      at: DeclarationPlace(head))
  }

  /// Returns the signals that one of its signals is computed from; it follows the last.
  private func references(of signal: ActionSignal, _ condition: SignalReference?) -> [SignalReference] {
    switch signal {
    case .condition: [condition].compactMap(\.self)
    case .enabled:
      [condition].compactMap(\.self).filter(\.isNamed) + [
        SignalReference(target: .named(ActionSignal.condition.name(of: name)), index: reader.nextPlace())
      ]
    case .values, .errors, .executing: []
    }
  }

  private func reading(_ parameter: String) -> ParameterReading {
    ParameterReading(reader: reader, name: "\(parameter) of \(name)", minimum: 0, maximum: 0, variables: [])
  }
}
