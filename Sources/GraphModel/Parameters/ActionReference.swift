import Base

/// An action that a pipe calls.
package struct ActionReference: ParameterValue {
  /// `graph.action`.
  package let name: String
  /// The action's condition signal; the calling pipe is settled after it.
  package let condition: SignalReference
  /// The key of its task, if it has one.
  let task: ActionTaskKey?

  package static var typeName: String { "an action" }
  package static var shape: ParameterShape { .action }
  package var references: [SignalReference] { [condition] }
  package var calls: [String] { [name] }

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> ActionReference? {
    guard let name = reading.reader.actionName(node) else { return nil }
    let condition = reading.reader.reference(to: ActionSignal.condition.name(of: name), at: node)
    return ActionReference(name: name, condition: condition, task: reading.reader.declared.task(ofAction: name))
  }
}

extension DeclarationReader {
  /// Returns the full name of a declared action of this graph or, prefixed with its graph's name, of another.
  func actionName(_ node: ConfigNode) -> String? {
    guard let text = node.scalar.flatMap({ _ in context.reader(node).text() }), SignalName.isReference(text) else {
      problems.error("expected an action: its name", at: node)
      return nil
    }
    let near = "\(graph).\(text)"
    if let name = [near, text].first(where: declared.isAction) { return name }
    if declared.isOpen { return nil }
    if declared.contains(near) || declared.contains(text) {
      problems.error("\"\(text)\" is a signal, not an action: send_to sends values to a signal", at: node)
    } else {
      problems.error(
        "no action \"\(text)\" in graph \"\(graph)\"", at: node, for: text,
        among: declared.actionNames(seenFrom: graph))
    }
    return nil
  }
}
