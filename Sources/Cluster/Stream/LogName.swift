/// The identity of a log: a graph, and the partition of it.
package struct LogName: Hashable, Sendable, CustomStringConvertible {
  package let graph: String
  package let partition: Int

  package init(graph: String, partition: Int = 0) {
    self.graph = graph
    self.partition = partition
  }

  package var description: String { "\(graph).\(partition)" }
}
