/// A view, or a part of one, as a file or a use of a template declares it.
package struct ViewPart: Sendable {
  package let entry: ConfigNode.Entry
  /// The graph that declares it, whose signals are named without its prefix; `nil` beside the graphs.
  package let graph: String?
  /// True if it may add to a view of the same name.
  package let isOfTemplate: Bool

  package var name: String { entry.name }

  /// Returns the full name of a signal, an action or a pattern that the part names.
  package func fullName(_ text: String) -> String {
    guard let graph, !text.contains(".") else { return text }
    return "\(graph).\(text)"
  }
}
