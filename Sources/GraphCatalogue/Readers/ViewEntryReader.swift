import Base
import GraphModel
import JSON

/// Reads what a part of a view shows.
struct ViewEntryReader {
  private typealias Form = ViewDeclaration.Form
  typealias Entry = ViewDeclaration.Entry

  private static let curveCounts = 2...8
  private static let keys = ["signal", "signals"] + ViewEntryLook.keys

  private let context: ReadingContext
  private let declared: DeclaredNames
  /// The signals without errors, in the order of the files.
  private let signals: [SignalDeclaration]
  private let signalsByName: DeclaredSignals
  private let part: ViewPart

  init(
    _ context: ReadingContext, _ declared: DeclaredNames, _ signals: [SignalDeclaration], _ byName: DeclaredSignals,
    _ part: ViewPart
  ) {
    self.context = context
    self.declared = declared
    self.signals = signals
    signalsByName = byName
    self.part = part
  }

  private var problems: Problems { context.problems }

  /// Returns the entries of one element of the list: several for a pattern.
  func entries(_ node: ConfigNode) -> [Entry] {
    if node.entries != nil { return described(node) }
    guard let text = context.reader(node).text() else { return [] }
    return targets(text, at: node).map { target in
      target.isAction ? Entry(name: target.name, isAction: true, form: .button) : plain(target.name)
    }
  }

  /// A signal or an action that an entry names, and what the wildcards of its pattern stand for.
  private struct Target {
    let name: String
    var isAction = false
    var captures: [String] = []
  }

  /// Returns what a name or a pattern stands for; reports an unknown one and one that no client may see.
  private func targets(_ text: String, at node: ConfigNode) -> [Target] {
    text.contains("*") ? matches(of: part.fullName(text), at: node) : target(text, at: node).map { [$0] } ?? []
  }

  /// Returns the signals that a pattern matches: `*` stands for a segment of a name or a part of one.
  private func matches(of text: String, at node: ConfigNode) -> [Target] {
    let pattern = ViewPattern(text)
    let found = signals.filter { !$0.traits.isPrivate }.compactMap { signal in
      pattern?.captures(in: signal.name).map { Target(name: signal.name, captures: $0) }
    }
    // Signals with errors of their own are not among the others.
    let isDeclared = declared.isOpen || declared.fullNames.contains { pattern?.captures(in: $0) != nil }
    if found.isEmpty, !isDeclared || pattern == nil { problems.error("no signal matches \"\(text)\"", at: node) }
    return found
  }

  private func target(_ text: String, at node: ConfigNode) -> Target? {
    let name = part.fullName(text)
    if declared.isAction(name) { return Target(name: name, isAction: true) }
    guard declared.contains(name) || declared.isOpen else {
      reportUnknown(text, at: node)
      return nil
    }
    guard signalsByName[name]?.traits.isPrivate != true else {
      problems.error("\"\(name)\" is private: no client may see it", at: node)
      return nil
    }
    return Target(name: name)
  }

  private func reportUnknown(_ text: String, at node: ConfigNode) {
    let names = declared.fullNames
    if let graph = part.graph, !text.contains(".") {
      let own = names.filter { $0.hasPrefix("\(graph).") }.map { String($0.dropFirst(graph.count + 1)) }
      return problems.error("no signal \"\(text)\" in graph \"\(graph)\"", at: node, for: text, among: own)
    }
    let full = names.filter { $0.hasSuffix(".\(text)") }
    if full.count == 1 {
      problems.error("no signal \"\(text)\": a view names signals in full", at: node, suggestion: full[0])
    } else {
      problems.error("no signal \"\(text)\"", at: node, for: text, among: names)
    }
  }

  /// Returns an entry in the form that goes with its signal.
  private func plain(_ name: String) -> Entry {
    let type = type(of: name)
    return Entry(name: name, isAction: false, form: Form(for: type), type: type, range: type?.range)
  }

  /// Returns the type of the values that can be sent to a signal; `nil` if it takes none.
  private func type(of name: String) -> DeclaredType? {
    guard let source = signalsByName[name]?.body.source, source.takesValues else { return nil }
    return source.acceptedType ?? .any
  }

  /// Returns the entries of a mapping: one for each signal that it names by a pattern.
  private func described(_ node: ConfigNode) -> [Entry] {
    guard let mapping = context.reader(node).mapping(of: Self.keys) else { return [] }
    let errors = problems.errorCount
    let signals = mapping.optional("signals")
    let signal = signals == nil ? mapping.required("signal") : mapping.optional("signal")
    let look = ViewEntryLook(mapping)
    if signals != nil, let signal { problems.error("give either \"signal\" or \"signals\", not both", at: signal) }
    let curves = signals.map { self.curves($0) } ?? []
    let targets: [Target] =
      if signals != nil {
        curves.first.map { [Target(name: $0.name)] } ?? []
      } else {
        signal.flatMap { signal in signal.text().map { self.targets($0, at: signal.node) } } ?? []
      }
    var entries: [Entry] = []
    for target in targets {
      // A fault that all signals of a pattern have is reported for the first one.
      guard let entry = entry(target, curves, look, mapping), problems.errorCount == errors else { return [] }
      entries.append(entry)
    }
    return entries
  }

  private func entry(
    _ target: Target, _ curves: [ViewDeclaration.Curve], _ look: ViewEntryLook, _ mapping: MappingReader
  ) -> Entry? {
    let (name, isAction) = (target.name, target.isAction)
    let isKnown = isAction || signalsByName[name] != nil || SignalName.graph(of: name) == OwnGraph.name
    guard isKnown, look.form != nil || mapping.entry("as") == nil else { return nil }
    let type = curves.isEmpty ? type(of: name) : nil
    let isPressed = isAction || look.press != nil
    let chosen = look.form ?? (!curves.isEmpty ? .plot : isPressed ? .button : Form(for: type))
    var entry = Entry(
      name: name, isAction: isAction, form: chosen, title: look.title(target.captures), period: look.period, type: type)
    entry.curves = curves
    // The type says what a plot may reach, and not what is worth seeing.
    let implied = chosen == .plot ? nil : type
    if chosen.keys.contains("minimum"), let least = look.minimum ?? implied?.minimum,
      let most = look.maximum ?? implied?.maximum
    {
      guard least < most else {
        report("maximum is not greater than minimum", at: mapping)
        return nil
      }
      entry.range = least...most
    }
    if chosen == .plot { entry.period = look.period ?? .seconds(3600) }
    if chosen == .button, !isAction {
      entry.press = look.press ?? .bool(true)
    } else if isAction {
      entry.press = look.press
    }
    for key in ["period", "minimum", "maximum", "press"] where !chosen.keys.contains(key) {
      guard let given = mapping.entry(key) else { continue }
      problems.error("a \(chosen.rawValue) has no \"\(key)\"", at: given.key)
    }
    entry.isHeld = signalsByName[name]?.holdsValues ?? false
    if let complaint = complaint(about: entry) { report(complaint, at: mapping) }
    return entry
  }

  /// Returns the signals of a plot of several; reports those that cannot be drawn together.
  private func curves(_ list: Reader) -> [ViewDeclaration.Curve] {
    let errors = problems.errorCount
    var curves: [ViewDeclaration.Curve] = []
    for element in list.list() ?? [] {
      guard let text = element.text() else { continue }
      for target in targets(text, at: element.node) {
        let type = target.isAction ? nil : type(of: target.name)
        if target.isAction || type.map({ ![.boolean, .integer, .number, .any].contains($0.word) }) == true {
          let kind = type.map { "takes \($0.withArticle)" } ?? "is an action"
          problems.error(
            "a plot of several signals is for numbers and booleans, and \"\(target.name)\" \(kind)", at: element)
        } else if curves.contains(where: { $0.name == target.name }) {
          problems.error("duplicate signal \"\(target.name)\"", at: element)
        } else {
          let isHeld = signalsByName[target.name]?.holdsValues ?? false
          curves.append(ViewDeclaration.Curve(name: target.name, isHeld: isHeld))
        }
      }
    }
    if problems.errorCount == errors, !declared.isOpen, !Self.curveCounts.contains(curves.count) {
      problems.error("a plot has 2 to 8 signals, and this one has \(curves.count)", at: list)
    }
    return curves
  }

  private func report(_ complaint: String, at mapping: MappingReader) {
    problems.error(complaint, at: mapping.entry("as")?.value ?? mapping.entry("signal")?.value ?? mapping.node)
  }

  /// Returns the reason that a form does not go with its signal.
  private func complaint(about entry: Entry) -> String? {
    let (form, name) = ("a \(entry.form.rawValue)", "\"\(entry.name)\"")
    if !entry.curves.isEmpty {
      return entry.form == .plot ? nil : "\(form) shows one signal: several are shown as a plot"
    }
    if entry.isAction { return entry.form == .button ? nil : "\(name) is an action, which is shown as a button" }
    guard let type = entry.type else {
      if entry.form.isControl { return "\(form) sends values, and \(name) takes none" }
      return entry.form == .gauge && entry.range == nil ? "a gauge needs a range: give minimum and maximum" : nil
    }
    let takes = "\(name) takes \(type.withArticle)"
    switch entry.form {
    case .value, .plot, .text: return nil
    case .light where ![.boolean, .any].contains(type.word): return "a light shows true and false, and \(takes)"
    case .toggle where ![.boolean, .any].contains(type.word): return "a toggle sends true and false, and \(takes)"
    case .light, .toggle: return nil
    case .slider, .gauge:
      if ![.number, .integer, .any].contains(type.word) { return "\(form) is for numbers, and \(takes)" }
      guard let range = entry.range else {
        return "\(form) needs a range: give minimum and maximum, here or in the type of \(name)"
      }
      let ends = [range.lowerBound, range.upperBound].compactMap { type.mismatch(.value(.number($0))) }
      return entry.form == .slider ? ends.first.map { "the slider reaches \($0.found), and \(takes)" } : nil
    case .choice: return type.choices.isEmpty ? "a choice needs values: give the type of \(name) an enum" : nil
    case .button:
      guard let mismatch = entry.press.flatMap({ type.mismatch(.value($0)) }) else { return nil }
      return "the button sends \(mismatch.found), and \(takes): give press"
    }
  }
}

extension ViewDeclaration.Form {
  /// Creates the form of a signal that is given none.
  ///
  /// - Parameter type: The type of the values that it takes; `nil` if it takes none.
  fileprivate init(for type: DeclaredType?) {
    guard let type else {
      self = .value
      return
    }
    switch type.word {
    case _ where !type.choices.isEmpty: self = .choice
    case .boolean: self = .toggle
    case .integer, .number: self = type.range == nil ? .text : .slider
    case .string, .object, .array, .any: self = .text
    }
  }

  /// The keys beside those that every form has.
  fileprivate var keys: [String] {
    switch self {
    case .plot: ["period", "minimum", "maximum"]
    case .slider, .gauge: ["minimum", "maximum"]
    case .button: ["press"]
    case .value, .light, .toggle, .choice, .text: []
    }
  }
}
