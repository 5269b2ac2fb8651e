package import ReactiveTesting

/// Reads a diagram and reports the column of an error.
package enum DiagramReader {
  package static func diagram(_ node: ConfigNode, _ context: ReadingContext) -> MarbleDiagram? {
    guard let scalar = node.scalar else {
      context.reader(node).refuse(expected: "a diagram such as \"--a-b|\"")
      return nil
    }
    do {
      return try MarbleDiagram(parsing: scalar.text)
    } catch {
      let byte = scalar.text.prefix(error.offset).utf8.count
      context.problems.error("in this diagram, \(error.description)", at: node.place(ofByte: byte))
      return nil
    }
  }
}

extension MarbleDiagram {
  /// Returns the time of the last column.
  package func length(tick: Duration) -> Duration { tick * max(columns.count - 1, 0) }
}
