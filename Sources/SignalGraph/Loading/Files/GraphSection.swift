/// A graph as the files declare it: each file may hold a part, and each use of a template gives one.
package struct GraphSection: Sendable {
  package struct Part: Sendable {
    /// The key that names the graph.
    package let key: ConfigNode
    /// Always a mapping.
    package let body: ConfigNode
  }

  package let name: String
  /// In the order in which they were read, at least one.
  package internal(set) var parts: [Part]
}
