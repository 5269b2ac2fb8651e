internal import Base

extension RequestDeclaration {
  /// All requests, in the order of their explanation.
  package static let all: [RequestDeclaration] = [
    RequestDeclaration(HelloRequest.self),
    RequestDeclaration(PingRequest.self),
    RequestDeclaration(SendRequest.self),
    RequestDeclaration(SubscribeRequest.self),
    RequestDeclaration(UnsubscribeRequest.self),
    RequestDeclaration(GetRequest.self),
    RequestDeclaration(CallRequest.self),
    RequestDeclaration(ListRequest.self),
    RequestDeclaration(ValuesRequest.self),
    RequestDeclaration(DescribeRequest.self),
    RequestDeclaration(ViewsRequest.self),
    RequestDeclaration(StatsRequest.self),
    RequestDeclaration(ClusterRequest.self),
    RequestDeclaration(ReloadRequest.self),
    RequestDeclaration(RestartRequest.self),
    RequestDeclaration(AttachRequest.self),
    RequestDeclaration(AcknowledgeRequest.self),
    RequestDeclaration(ReportRequest.self),
    RequestDeclaration(HelpRequest.self),
  ]

  /// Returns the request with an op.
  package static func named(_ op: String) -> RequestDeclaration? { all.first { $0.op == op } }

  package static func unknownOp(_ op: String) -> WireError {
    let ops = all.map(\.op)
    let hint = Suggestion.likely(for: op, among: ops).map { "did you mean \"\($0)\"?" }
    return WireError(.unknownOp, "unknown op \(op.quoted); \(hint ?? "known: \(ops.joined(separator: ", "))")")
  }
}
