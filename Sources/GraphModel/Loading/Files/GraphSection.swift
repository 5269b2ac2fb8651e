/// A graph as the files declare it; each file and each use of a template may contribute a part.
package struct GraphSection: Sendable {
  package struct Part: Sendable {
    /// The key that names the graph.
    package let key: ConfigNode
    /// Always a mapping.
    package let body: ConfigNode
  }

  package let name: String
  /// In the order of reading, at least one.
  package internal(set) var parts: [Part]
}
