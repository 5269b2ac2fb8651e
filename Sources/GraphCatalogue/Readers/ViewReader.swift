import Base
import Glibc
import GraphModel
import JSON

/// Reads the views of a configuration, once all signals have been read.
struct ViewReader {
  private typealias Entry = ViewDeclaration.Entry
  private typealias Form = ViewDeclaration.Form

  private static let mostViews = 100
  private static let mostEntries = 200
  private static let curveCounts = 2...8

  private let context: ReadingContext
  private let declared: DeclaredNames
  /// The signals without errors, in the order of the files.
  private let signals: [SignalDeclaration]
  private let signalsByName: DeclaredSignals

  init(_ context: ReadingContext, _ declared: DeclaredNames, _ signals: [SignalDeclaration], _ byName: DeclaredSignals)
  {
    self.context = context
    self.declared = declared
    self.signals = signals
    signalsByName = byName
  }

  private var problems: Problems { context.problems }

  /// Returns the valid views of all files; the errors in the others are reported.
  func read(_ views: [ConfigNode.Entry]) -> [ViewDeclaration] {
    if views.count > Self.mostViews {
      problems.error("a configuration has at most \(Self.mostViews) views", at: views[Self.mostViews].key)
    }
    var first: [String: ConfigNode] = [:]
    return views.compactMap { view in
      if let earlier = first[view.name] {
        problems.error(
          "duplicate view \"\(view.name)\"", at: view.key, related: .init("first declared here", at: earlier.place))
        return nil
      }
      first[view.name] = view.key
      return self.view(view)
    }
  }

  private func view(_ view: ConfigNode.Entry) -> ViewDeclaration? {
    let name = context.name(key: view.key)
    guard let mapping = context.reader(view.value).mapping() else { return nil }
    let (title, doc) = (mapping.optional("title")?.text(), mapping.optional("doc")?.string())
    let show = mapping.required("show")
    mapping.finish()
    guard let name, let list = show?.list() else { return nil }
    if list.isEmpty { problems.error("expected at least one signal", at: show ?? context.reader(view.value)) }
    let entries = list.flatMap { self.entries($0.node) }
    if entries.count > Self.mostEntries, let show {
      problems.error("a view shows at most \(Self.mostEntries) signals, and this one has \(entries.count)", at: show)
    }
    return ViewDeclaration(name: name, title: title ?? name, documentation: doc, entries: entries)
  }

  private func entries(_ node: ConfigNode) -> [Entry] {
    if node.entries != nil { return entry(node).map { [$0] } ?? [] }
    guard let text = context.reader(node).text() else { return [] }
    if text.contains("*") { return matches(of: text, at: node) }
    guard let (name, isAction) = target(text, at: node) else { return [] }
    return [isAction ? Entry(name: name, isAction: true, form: .button) : plain(name)]
  }

  /// Returns the signals that a pattern matches: `*` stands for a segment of a name or a part of one.
  private func matches(of pattern: String, at node: ConfigNode) -> [Entry] {
    let path = { (name: String) in String(name.map { $0 == "." ? "/" : $0 }) }
    let isPattern = pattern.split(separator: ".", omittingEmptySubsequences: false)
      .allSatisfy { Name.isValid($0.filter { $0 != "*" } + "a") && !$0.isEmpty }
    let found = signals.filter { !$0.traits.isPrivate && fnmatch(path(pattern), path($0.name), FNM_PATHNAME) == 0 }
    if !isPattern || found.isEmpty { problems.error("no signal matches \"\(pattern)\"", at: node) }
    return found.map { plain($0.name) }
  }

  /// Returns the full name of a signal or an action; reports an unknown one and one that no client may see.
  private func target(_ text: String, at node: ConfigNode) -> (name: String, isAction: Bool)? {
    if declared.isAction(text) { return (text, true) }
    guard declared.contains(text) else {
      let names = declared.fullNames
      let full = names.filter { $0.hasSuffix(".\(text)") }
      if full.count == 1 {
        problems.error("no signal \"\(text)\": a view names signals in full", at: node, suggestion: full[0])
      } else {
        problems.error("no signal \"\(text)\"", at: node, for: text, among: names)
      }
      return nil
    }
    guard signalsByName[text]?.traits.isPrivate != true else {
      problems.error("\"\(text)\" is private: no client may see it", at: node)
      return nil
    }
    return (text, false)
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

  private func entry(_ node: ConfigNode) -> Entry? {
    guard let mapping = context.reader(node).mapping() else { return nil }
    let errors = problems.errorCount
    let signals = mapping.optional("signals")
    let signal = signals == nil ? mapping.required("signal") : mapping.optional("signal")
    let form: Form? = mapping.optional("as")?.choice()
    let title = mapping.optional("title")?.text()
    let period = mapping.optional("period")?.duration(in: .seconds(10)...DurationText.longest)
    let bounds = (mapping.optional("minimum")?.number(), mapping.optional("maximum")?.number())
    let press = mapping.optional("press")?.literal()
    mapping.finish()
    if signals != nil, let signal { problems.error("give either \"signal\" or \"signals\", not both", at: signal) }
    let curves = signals.map { self.curves($0) } ?? []
    guard let (name, isAction) = signals == nil ? signal.flatMap(target) : curves.first.map({ ($0.name, false) }) else {
      return nil
    }
    let isKnown = isAction || signalsByName[name] != nil || SignalName.graph(of: name) == OwnGraph.name
    guard isKnown, form != nil || mapping.entry("as") == nil else { return nil }
    let type = signals == nil ? type(of: name) : nil
    let chosen = form ?? (signals != nil ? .plot : isAction || press != nil ? .button : Form(for: type))
    var entry = Entry(name: name, isAction: isAction, form: chosen, title: title, period: period, type: type)
    entry.curves = curves
    // The type says what a plot may reach, and not what is worth seeing.
    let implied = chosen == .plot ? nil : type
    if chosen.keys.contains("minimum"), let least = bounds.0 ?? implied?.minimum,
      let most = bounds.1 ?? implied?.maximum
    {
      guard least < most else {
        report("maximum is not greater than minimum", at: mapping)
        return nil
      }
      entry.range = least...most
    }
    if chosen == .plot { entry.period = period ?? .seconds(3600) }
    if chosen == .button, !isAction { entry.press = press ?? .bool(true) } else if isAction { entry.press = press }
    for key in ["period", "minimum", "maximum", "press"] where !chosen.keys.contains(key) {
      guard let given = mapping.entry(key) else { continue }
      problems.error("a \(chosen.rawValue) has no \"\(key)\"", at: given.key)
    }
    entry.isHeld = signalsByName[name]?.holdsValues ?? false
    if let complaint = complaint(about: entry) { report(complaint, at: mapping) }
    return problems.errorCount == errors ? entry : nil
  }

  /// Returns the signals of a plot of several; reports those that cannot be drawn together.
  private func curves(_ list: Reader) -> [ViewDeclaration.Curve] {
    var curves: [ViewDeclaration.Curve] = []
    for element in list.list() ?? [] {
      guard let (name, isAction) = target(element) else { continue }
      let type = isAction ? nil : type(of: name)
      if isAction || type.map({ ![.boolean, .integer, .number, .any].contains($0.word) }) == true {
        let kind = type.map { "takes \($0.withArticle)" } ?? "is an action"
        problems.error("a plot of several signals is for numbers and booleans, and \"\(name)\" \(kind)", at: element)
      } else if curves.contains(where: { $0.name == name }) {
        problems.error("duplicate signal \"\(name)\"", at: element)
      } else {
        curves.append(ViewDeclaration.Curve(name: name, isHeld: signalsByName[name]?.holdsValues ?? false))
      }
    }
    if let count = list.node.elements?.count, !Self.curveCounts.contains(count) {
      problems.error("a plot has 2 to 8 signals, and this one has \(count)", at: list)
    }
    return curves
  }

  private func target(_ reader: Reader) -> (name: String, isAction: Bool)? {
    reader.text().flatMap { target($0, at: reader.node) }
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
