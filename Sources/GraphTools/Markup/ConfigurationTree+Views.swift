import GraphModel

extension ConfigurationTree {
  /// Returns the views with all their parts, which name signals in full.
  static func whole(_ parts: [ViewPart]) -> [ConfigNode.Entry] {
    var names: [String] = []
    for part in parts where !names.contains(part.name) { names.append(part.name) }
    return names.map { name in
      let own = parts.filter { $0.name == name }
      let texts = ["title", "doc"].compactMap { key in
        own.compactMap { $0.entry.value[key] }.first.map { ConfigurationTree.entry(key, $0) }
      }
      let shown = own.flatMap { part in (part.entry.value["show"]?.elements ?? []).map(part.full) }
      return entry(name, mapping(texts + [entry("show", node(.sequence(shown)))]))
    }
  }
}

extension ViewPart {
  /// Returns an element of the list with the full names of its signals.
  fileprivate func full(_ element: ConfigNode) -> ConfigNode {
    switch element.content {
    case .scalar(let scalar): return with(element, .scalar(Scalar(fullName(scalar.text), style: scalar.style)))
    case .sequence: return element
    case .mapping(let entries):
      let full = entries.map { entry -> ConfigNode.Entry in
        switch entry.name {
        case "signal": .init(key: entry.key, value: self.full(entry.value))
        case "signals":
          .init(key: entry.key, value: with(entry.value, .sequence((entry.value.elements ?? []).map(self.full))))
        default: entry
        }
      }
      return with(element, .mapping(full))
    }
  }

  private func with(_ node: ConfigNode, _ content: ConfigNode.Content) -> ConfigNode {
    ConfigNode(place: node.place, length: node.length, content: content)
  }
}
