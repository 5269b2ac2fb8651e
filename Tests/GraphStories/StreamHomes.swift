import GraphModel
package import Testing

/// Places some durable graphs in streams of their own instead of in the folder.
package struct StreamHomes: SuiteTrait, TestTrait, TestScoping {
  let graphs: Set<String>

  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await Home.$ofGraph.withValue(
      { [graphs] in graphs.contains($0) ? .stream(graph: $0, partition: 0) : .folder }, operation: function)
  }
}

extension Trait where Self == StreamHomes {
  /// Places these graphs in streams of their own.
  package static func streams(_ graphs: String...) -> StreamHomes { StreamHomes(graphs: Set(graphs)) }
}
