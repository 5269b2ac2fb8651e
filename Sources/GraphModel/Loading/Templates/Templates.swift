import Base

/// The templates of all files and their expansions.
final class Templates {
  /// The expansion of one use of a template.
  struct Expansion {
    let template: String
    let key: ConfigNode
    /// A mapping with the keys of the template's kind.
    let body: ConfigNode
  }

  private let context: ReadingContext
  private let budget = TemplateBudget()
  private var declarations: [TemplateDeclaration] = []
  /// The names of templates with errors, which have been reported.
  private var broken: Set<String> = []
  private var expanded: Set<String> = []

  init(_ context: ReadingContext) { self.context = context }

  private var problems: Problems { context.problems }

  /// The templates without an expansion, in the order of the files.
  var unused: [TemplateDeclaration] { declarations.filter { !expanded.contains($0.name) } }

  // MARK: Declaring

  func declare(_ section: Reader) {
    for entry in section.entries() ?? [] {
      if let earlier = declarations.first(where: { $0.name == entry.name }) {
        problems.error(
          "duplicate template \"\(entry.name)\"", at: entry.key,
          related: .init("first declared here", at: earlier.key))
      } else if let declaration = TemplateDeclaration(entry, context) {
        declarations.append(declaration)
      } else {
        broken.insert(entry.name)
      }
    }
  }

  // MARK: Using

  /// Returns the expansions of a `use`, in order; reports its errors.
  ///
  /// - Parameter inside: The templates around the `use`, from the outermost on.
  func expansions(of use: ConfigNode, _ kind: TemplateDeclaration.Kind, inside: [String]) -> [Expansion] {
    (context.reader(use).entries() ?? []).flatMap { entry -> [Expansion] in
      guard let template = template(entry.key, kind, inside) else { return [] }
      return (entry.value.elements ?? [entry.value]).compactMap { item in
        guard let values = arguments(item, template, entry.key) else { return nil }
        guard budget.take(uses: 1) else { return reportExceeded(at: entry.key) }
        let place: any Placed = entry.value.elements == nil ? entry.key : item
        let origin = PlaceOrigin("used here", at: place, outer: entry.key.place.origin)
        return expand(template, TemplateArguments(values, of: template, origin: origin), at: entry.key)
      }
    }
  }

  /// Returns the expansion of an unused template for the check of its content; parameters without a default stay open.
  func expansionForCheck(of template: TemplateDeclaration) -> Expansion? {
    let values = template.parameters.map { parameter in
      let initial = parameter.initial.map { TemplateArguments.Argument($0) }
      return (parameter.name, initial ?? .init(parameter.key, isOpen: true))
    }
    let arguments = TemplateArguments(Dictionary(values) { first, _ in first }, of: template, origin: nil)
    return expand(template, arguments, at: template.key)
  }

  private func expand(_ template: TemplateDeclaration, _ arguments: TemplateArguments, at key: ConfigNode) -> Expansion?
  {
    expanded.insert(template.name)
    var expansion = TemplateExpansion(arguments, budget: budget, problems)
    guard let body = expansion.expand(template.body) else { return reportExceeded(at: key) }
    for parameter in template.parameters where !expansion.mentioned.contains(parameter.name) {
      problems.warning("unused parameter \"\(parameter.name)\" of template \"\(template.name)\"", at: parameter.key)
    }
    return Expansion(template: template.name, key: key, body: body)
  }

  private func template(
    _ key: ConfigNode, _ kind: TemplateDeclaration.Kind, _ inside: [String]
  ) -> TemplateDeclaration? {
    let name = key.scalar?.text ?? ""
    if let start = inside.firstIndex(of: name) {
      problems.error(
        "a template cannot use itself: \((inside[start...] + [name]).joined(separator: " → "))", at: key)
      return nil
    }
    guard let template = declarations.first(where: { $0.name == name }) else {
      if !broken.contains(name) {
        problems.error(
          "no template \"\(name)\"", at: key, for: name, among: declarations.map(\.name))
      }
      return nil
    }
    guard template.kind == kind else {
      problems.error(
        kind == .signals
          ? "template \"\(name)\" has graphs: put its \"use\" beside \"graphs\", not in a graph"
          : "template \"\(name)\" has signals: put its \"use\" in a graph",
        at: key, related: .init("the template", at: template.key))
      return nil
    }
    return template
  }

  /// Returns the arguments of one use; reports all errors and returns `nil` if there are any.
  private func arguments(
    _ item: ConfigNode, _ template: TemplateDeclaration, _ key: ConfigNode
  ) -> [String: TemplateArguments.Argument]? {
    guard var given = given(item, template) else { return nil }
    var isWhole = true
    let names = template.parameters.map(\.name)
    for (index, (name, entry)) in given.enumerated() where !names.contains(name) {
      let open = names.filter { name in !given.contains { $0.name == name } }
      let suggestion = Suggestion.likely(for: name, among: open)
      let known = suggestion == nil ? "; \(TemplateExpansion.list(names))" : ""
      problems.error(
        "template \"\(template.name)\" has no parameter \"\(name)\"\(known)", at: entry.key, for: name,
        among: open,
        related: .init("the template", at: template.key))
      // The parameter that is meant is not missing.
      if let suggestion { given[index].name = suggestion } else { isWhole = false }
    }
    var values: [String: TemplateArguments.Argument] = [:]
    for parameter in template.parameters {
      let own = given.first { $0.name == parameter.name }.map(\.entry.value)
      if let node = own.flatMap({ $0.isAbsent && !$0.isOpen ? nil : $0 }) ?? parameter.initial {
        values[parameter.name] = .init(node, isOpen: node.isOpen)
      } else {
        problems.error(
          "template \"\(template.name)\" needs \"\(parameter.name)\"", at: item.isNull ? key : item,
          related: .init("this parameter has no default", at: parameter.key))
        isWhole = false
      }
    }
    return isWhole ? values : nil
  }

  /// Returns names and values; a scalar is the value of the first parameter.
  private func given(
    _ item: ConfigNode, _ template: TemplateDeclaration
  ) -> [(name: String, entry: ConfigNode.Entry)]? {
    switch item.content {
    case .mapping(let entries): return entries.map { ($0.name, $0) }
    case .scalar where item.isNull && !item.isOpen: return []
    case .scalar:
      if let first = template.parameters.first { return [(first.name, .init(key: first.key, value: item))] }
      problems.error("template \"\(template.name)\" has no parameters", at: item)
      return nil
    case .sequence:
      problems.error(
        "expected the parameters of one use, as in {name: value}, or the value of the first one", at: item)
      return nil
    }
  }

  /// Reports once: all later expansions exceed the limit too.
  private func reportExceeded<Result>(at key: ConfigNode) -> Result? {
    if let bound = budget.exceeded, !hasReportedBound {
      hasReportedBound = true
      problems.error(bound, at: key)
    }
    return nil
  }

  private var hasReportedBound = false
}

extension ConfigNode {
  /// True when the text depends on a parameter without a value, since the template is only checked.
  fileprivate var isOpen: Bool { place.origin === PlaceOrigin.open }
}
