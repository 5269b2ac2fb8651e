import Base

/// Substitutes the arguments of one use into the content of a template.
struct TemplateExpansion {
  private let arguments: TemplateArguments
  private let problems: Problems
  private let budget: TemplateBudget
  /// The parameters that occur in the content.
  private(set) var mentioned: Set<String> = []

  init(_ arguments: TemplateArguments, budget: TemplateBudget, _ problems: Problems) {
    self.arguments = arguments
    self.budget = budget
    self.problems = problems
  }

  /// Returns a node of the template for this use; `nil` past a limit, which has been reported.
  mutating func expand(_ node: ConfigNode, depth: Int = 1) -> ConfigNode? {
    guard budget.take(nodes: 1, depth: depth) else { return nil }
    let place = node.place.reached(by: arguments.origin)
    switch node.content {
    case .scalar: return scalar(node, depth)
    case .sequence(let elements):
      var expanded: [ConfigNode] = []
      for element in elements {
        guard let element = expand(element, depth: depth + 1) else { return nil }
        expanded.append(element)
      }
      return ConfigNode(place: place, length: node.length, content: .sequence(expanded))
    case .mapping(let entries):
      guard let entries = mapping(entries, depth + 1) else { return nil }
      return ConfigNode(place: place, length: node.length, content: .mapping(entries))
    }
  }

  private mutating func mapping(_ entries: [ConfigNode.Entry], _ depth: Int) -> [ConfigNode.Entry]? {
    var expanded: [ConfigNode.Entry] = []
    var keys = UniqueKeys(problems: problems)
    for entry in entries {
      guard let key = key(entry.key, depth), let value = expand(entry.value, depth: depth) else { return nil }
      if keys.accept(key) { expanded.append(.init(key: key, value: value)) }
    }
    return expanded
  }

  private mutating func key(_ key: ConfigNode, _ depth: Int) -> ConfigNode? {
    guard let expanded = budget.take(nodes: 1, depth: depth) ? text(key) : nil else { return nil }
    var place = expanded.place
    if let name = key.scalar.flatMap({ ParameterText($0.text)?.variable }), arguments[name] != nil {
      problems.error("a key is a string: write ${\(name)}", at: Extent(key, reachedBy: arguments.origin))
      place = place.reached(by: .open)
    }
    // A key has no value of its own, so it is no parameterised scalar.
    return ConfigNode(place: place, length: expanded.length, content: expanded.content)
  }

  private mutating func scalar(_ node: ConfigNode, _ depth: Int) -> ConfigNode? {
    guard let scalar = node.scalar, let name = ParameterText(scalar.text)?.variable else { return text(node) }
    guard let argument = arguments[name] else {
      if !TemplateParameter.reserved.contains(name) { reportUnknown(name, node, isSure: scalar.style == .plain) }
      return text(node)
    }
    mentioned.insert(name)
    if argument.isOpen {
      return ConfigNode(
        place: node.place.reached(by: .open), length: node.length, content: .scalar(Scalar(name, style: .doubleQuoted)),
        parameterised: parameterised(node))
    }
    guard budget.take(nodes: argument.size.nodes, bytes: argument.size.bytes, depth: depth + argument.size.height)
    else { return nil }
    let origin = PlaceOrigin("in place of $\(name) here", at: node, outer: argument.node.place.origin)
    return argument.node.reached(by: origin, parameterised: parameterised(node))
  }

  /// Returns a scalar with the parameters in its text replaced.
  private mutating func text(_ node: ConfigNode) -> ConfigNode? {
    let place = node.place.reached(by: arguments.origin)
    guard let scalar = node.scalar, let text = ParameterText(scalar.text) else {
      return ConfigNode(place: place, length: node.length, content: node.content)
    }
    var result = ""
    // An error is reported once: the remaining text produces no second one.
    var isOpen = arguments.isOpen(text.references)
    for piece in text.pieces {
      switch piece {
      case .text(let literal): result += literal
      case .parameter(let name):
        let value = self.text(of: name, node)
        isOpen = isOpen || value == nil
        result += value ?? name
      case .variable(let variable, let name):
        if arguments[name] != nil {
          isOpen = true
          problems.error(
            "the default of \"\(name)\" belongs in \"parameters\" of the template",
            at: Extent(node, reachedBy: arguments.origin))
        }
        result += variable
      }
    }
    mentioned.formUnion(text.mentioned)
    guard budget.take(bytes: result.utf8.count) else { return nil }
    if result == scalar.text, !isOpen, !text.mentioned.contains(where: { arguments[$0] != nil }) {
      return ConfigNode(place: place, length: node.length, content: node.content)
    }
    let replaced = Scalar(result, style: scalar.style, tag: scalar.tag)
    return ConfigNode(
      place: isOpen ? place.reached(by: .open) : place, length: node.length, content: .scalar(replaced),
      parameterised: parameterised(node))
  }

  private mutating func text(of name: String, _ node: ConfigNode) -> String? {
    guard let argument = arguments[name] else {
      reportUnknown(name, node, isSure: true)
      return nil
    }
    mentioned.insert(name)
    if argument.isOpen { return name }
    guard let text = argument.node.scalar?.text else {
      problems.error(
        "\(argument.node.summary) cannot be inserted into text; ${\(name)} needs a string, a number or a boolean, "
          + "$\(name) is the value",
        at: Extent(
          argument.node,
          reachedBy: PlaceOrigin("inserted into text here", at: node, outer: argument.node.place.origin)))
      return nil
    }
    return text
  }

  private func parameterised(_ node: ConfigNode) -> ParameterisedScalar {
    ParameterisedScalar(
      ConfigNode(place: node.place.reached(by: arguments.origin), length: node.length, content: node.content),
      arguments)
  }

  /// - Parameter isSure: True when the text has no other possible meaning.
  private func reportUnknown(_ name: String, _ node: ConfigNode, isSure: Bool) {
    let suggestion = Suggestion.likely(for: name, among: arguments.names)
    guard isSure || suggestion != nil else { return }
    let known = suggestion == nil ? "; " + Self.list(arguments.names) : ""
    problems.error(
      "template \"\(arguments.template)\" has no parameter \"\(name)\"\(known)",
      at: Extent(node, reachedBy: arguments.origin), suggestion: suggestion)
  }

  static func list(_ names: [String]) -> String {
    names.isEmpty ? "it has none" : "it has \(names.joined(separator: ", "))"
  }
}

extension ConfigNode {
  /// Returns the node and its descendants with another origin.
  fileprivate func reached(by origin: PlaceOrigin, parameterised: ParameterisedScalar?) -> ConfigNode {
    let content: Content =
      switch self.content {
      case .scalar: self.content
      case .sequence(let elements): .sequence(elements.map { $0.reached(by: origin, parameterised: $0.parameterised) })
      case .mapping(let entries):
        .mapping(
          entries.map { entry in
            Entry(
              key: entry.key.reached(by: origin, parameterised: nil),
              value: entry.value.reached(by: origin, parameterised: entry.value.parameterised))
          })
      }
    return ConfigNode(
      place: place.reached(by: origin), length: length, content: content, parameterised: parameterised)
  }
}
