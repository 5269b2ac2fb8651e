package import JSON

/// A request for the state of the cluster that the daemon is a node of.
package struct ClusterRequest: WireRequest {
  package static let op = "cluster"
  package static let summary = "List the nodes of the cluster, and which of them owns each clustered graph."

  package init() {}
}

package struct ClusterReply: Reply {
  package static let op: StaticString = "cluster"

  /// The name of this node.
  package let node: String
  /// The connection to the servers: `connected`, or `away` with a reason.
  package let connection: JSONObject
  package let nodes: [JSONObject]
  package let graphs: [JSONObject]

  package init(node: String, connection: JSONObject, nodes: [JSONObject], graphs: [JSONObject]) {
    (self.node, self.connection, self.nodes, self.graphs) = (node, connection, nodes, graphs)
  }

  package func writeMembers(to line: inout LineWriter) {
    line.member("node", node)
    line.member("connection", .object(connection))
    line.member("nodes", .array(nodes.map { .object($0) }))
    line.member("graphs", .array(graphs.map { .object($0) }))
  }
}
