import JSON

/// The nodes of a cluster that a graph may run on: `cluster` of a graph, which any of them takes over from another.
package struct ClusterPlacement: Sendable, Equatable {
  /// The names of the nodes, in which `*` stands for any characters; empty for all nodes.
  package let nodes: [String]

  private static let expected = "true, false, or a mapping with nodes"

  /// Reads a graph's `cluster`; `nil` if the graph stays on its machine or the value is invalid.
  package init?(reading reader: Reader) {
    if reader.node.entries == nil {
      guard let scalar = reader.resolved(expected: Self.expected) else { return nil }
      guard case .bool(let isClustered) = scalar.value else {
        reader.refuse(expected: Self.expected)
        return nil
      }
      guard isClustered else { return nil }
      nodes = []
    } else {
      guard let mapping = reader.mapping(of: ["nodes"]) else { return nil }
      let given = mapping.optional("nodes")
      nodes = given?.oneOrList().compactMap { $0.text() } ?? []
      if given != nil, nodes.isEmpty {
        reader.problems.error("expected the names of nodes, such as [rack-1, \"rack-*\"]", at: given ?? reader)
      }
    }
  }

  /// Returns true if the graph may run on a node.
  package func includes(_ node: String) -> Bool {
    nodes.isEmpty || nodes.contains { Self.matches(Array($0.utf8)[...], Array(node.utf8)[...]) }
  }

  private static func matches(_ pattern: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Bool {
    guard let first = pattern.first else { return name.isEmpty }
    if first == UInt8(ascii: "*") {
      return matches(pattern.dropFirst(), name) || !name.isEmpty && matches(pattern, name.dropFirst())
    }
    return name.first == first && matches(pattern.dropFirst(), name.dropFirst())
  }
}
