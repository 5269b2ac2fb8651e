/// Reads a node as something: reports what is wrong to the context's problems and gives `nil` then.
///
/// The kinds of things are in extensions, one a file.
package struct Reader: Placed {
  package let node: ConfigNode
  package let context: ReadingContext

  package init(_ node: ConfigNode, _ context: ReadingContext) {
    self.node = node
    self.context = context
  }

  package var problems: Problems { context.problems }
  package var place: Place { node.place }
  package var length: Int { node.length }

  /// Whether it is empty, as after the colon in `key:`.
  package var isAbsent: Bool { node.scalar?.isAbsent ?? false }

  /// Reports that the node is not what it should be.
  package func refuse(expected: String, suggestion: String? = nil) {
    problems.error("expected \(expected), found \(node.summary)", at: node, suggestion: suggestion)
  }
}
