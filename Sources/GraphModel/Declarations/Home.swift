/// The place where durable graphs record their inputs.
///
/// The graphs of one home run in one runtime and share a state log. Those of different homes share nothing: they use each
/// other's signals as they use those of ordinary graphs.
package enum Home: Hashable, Sendable {
  /// The state folder of the daemon.
  case folder
  /// The stream of one partition of a graph, for a graph that any of several machines may run.
  indirect case stream(graph: String, partition: Int)

  /// The subject of messages about its graphs.
  package var subject: String {
    switch self {
    case .folder: "durable graphs"
    case .stream(let graph, let partition): "durable graphs of stream \(graph)/\(partition)"
    }
  }

  /// Returns the home of a durable graph that is not clustered: always the folder, unless a test places it elsewhere.
  @TaskLocal package static var ofGraph: @Sendable (_ name: String) -> Home = { _ in .folder }
}
