internal import Base

/// A complete and well-formed request, which may still be refused.
///
/// Large and rare ones are stored indirectly, so that copying a `send` is cheap.
package enum Request: Sendable {
  case hello(HelloRequest)
  case ping(PingRequest)
  case send(SendRequest)
  indirect case subscribe(SubscribeRequest)
  case unsubscribe(UnsubscribeRequest)
  case get(GetRequest)
  case call(CallRequest)
  case list(ListRequest)
  indirect case values(ValuesRequest)
  case describe(DescribeRequest)
  case views(ViewsRequest)
  case stats(StatsRequest)
  case reload(ReloadRequest)
  case restart(RestartRequest)
  indirect case attach(AttachRequest)
  indirect case acknowledge(AcknowledgeRequest)
  indirect case report(ReportRequest)
  case help(HelpRequest)

  /// All ops, in the order of their explanation.
  package static let declarations: [RequestDeclaration] = [
    RequestDeclaration(HelloRequest.self) { .hello($0) },
    RequestDeclaration(PingRequest.self) { .ping($0) },
    RequestDeclaration(SendRequest.self) { .send($0) },
    RequestDeclaration(SubscribeRequest.self) { .subscribe($0) },
    RequestDeclaration(UnsubscribeRequest.self) { .unsubscribe($0) },
    RequestDeclaration(GetRequest.self) { .get($0) },
    RequestDeclaration(CallRequest.self) { .call($0) },
    RequestDeclaration(ListRequest.self) { .list($0) },
    RequestDeclaration(ValuesRequest.self) { .values($0) },
    RequestDeclaration(DescribeRequest.self) { .describe($0) },
    RequestDeclaration(ViewsRequest.self) { .views($0) },
    RequestDeclaration(StatsRequest.self) { .stats($0) },
    RequestDeclaration(ReloadRequest.self) { .reload($0) },
    RequestDeclaration(RestartRequest.self) { .restart($0) },
    RequestDeclaration(AttachRequest.self) { .attach($0) },
    RequestDeclaration(AcknowledgeRequest.self) { .acknowledge($0) },
    RequestDeclaration(ReportRequest.self) { .report($0) },
    RequestDeclaration(HelpRequest.self) { .help($0) },
  ]

  package static func declaration(of op: String) -> RequestDeclaration? { declarations.first { $0.op == op } }

  package static func unknownOp(_ op: String) -> WireError {
    let ops = declarations.map(\.op)
    let hint = Suggestion.likely(for: op, among: ops).map { "did you mean \"\($0)\"?" }
    return WireError(.unknownOp, "unknown op \(op.quoted); \(hint ?? "known: \(ops.joined(separator: ", "))")")
  }

  /// True if it affects other clients, so that it is handled even after its sender has disconnected.
  package var concernsOthers: Bool {
    switch self {
    case .send, .reload, .restart: true
    case .hello, .ping, .subscribe, .unsubscribe, .get, .call, .list, .values, .describe, .views, .stats, .help,
      .attach, .acknowledge, .report:
      false
    }
  }

  /// The name of the op.
  package var op: String {
    switch self {
    case .hello: HelloRequest.op
    case .ping: PingRequest.op
    case .send: SendRequest.op
    case .subscribe: SubscribeRequest.op
    case .unsubscribe: UnsubscribeRequest.op
    case .get: GetRequest.op
    case .call: CallRequest.op
    case .list: ListRequest.op
    case .values: ValuesRequest.op
    case .describe: DescribeRequest.op
    case .views: ViewsRequest.op
    case .stats: StatsRequest.op
    case .reload: ReloadRequest.op
    case .restart: RestartRequest.op
    case .attach: AttachRequest.op
    case .acknowledge: AcknowledgeRequest.op
    case .report: ReportRequest.op
    case .help: HelpRequest.op
    }
  }
}

/// A request with its id.
package struct RequestLine: Sendable {
  package let id: RequestID?
  package let request: Request

  /// Returns the refusal of this request.
  package func refusal(_ error: WireError) -> Refusal { Refusal(id: id, op: request.op, error) }
}
