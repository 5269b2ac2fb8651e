/// Reads a node as a value of some kind; reports an error to the context's problems and returns `nil`.
///
/// Each kind has an extension in a file of its own.
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

  /// True for an empty value, as after the colon in `key:`.
  package var isAbsent: Bool { node.scalar?.isAbsent ?? false }

  /// Reports a node of the wrong kind.
  package func refuse(expected: String, suggestion: String? = nil, fixIt: FixIt? = nil) {
    problems.error("expected \(expected), found \(node.summary)", at: node, suggestion: suggestion, fixIt: fixIt)
  }
}
