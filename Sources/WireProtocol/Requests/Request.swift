internal import Spelling

/// A request that is whole and well-formed; whether it can be carried out is another matter.
///
/// Large and rare ones are kept aside, so that a `send` is copied at the cost of a `send`.
package enum Request: Sendable {
  case hello(HelloRequest)
  case ping(PingRequest)
  case send(SendRequest)
  indirect case subscribe(SubscribeRequest)
  case unsubscribe(UnsubscribeRequest)
  case get(GetRequest)
  case call(CallRequest)
  case list(ListRequest)
  case describe(DescribeRequest)
  case stats(StatsRequest)
  case reload(ReloadRequest)
  case restart(RestartRequest)
  case help(HelpRequest)

  /// All ops, in the order in which they are explained.
  package static let declarations: [RequestDeclaration] = [
    RequestDeclaration(HelloRequest.self) { .hello($0) },
    RequestDeclaration(PingRequest.self) { .ping($0) },
    RequestDeclaration(SendRequest.self) { .send($0) },
    RequestDeclaration(SubscribeRequest.self) { .subscribe($0) },
    RequestDeclaration(UnsubscribeRequest.self) { .unsubscribe($0) },
    RequestDeclaration(GetRequest.self) { .get($0) },
    RequestDeclaration(CallRequest.self) { .call($0) },
    RequestDeclaration(ListRequest.self) { .list($0) },
    RequestDeclaration(DescribeRequest.self) { .describe($0) },
    RequestDeclaration(StatsRequest.self) { .stats($0) },
    RequestDeclaration(ReloadRequest.self) { .reload($0) },
    RequestDeclaration(RestartRequest.self) { .restart($0) },
    RequestDeclaration(HelpRequest.self) { .help($0) },
  ]

  package static func declaration(of op: String) -> RequestDeclaration? { declarations.first { $0.op == op } }

  package static func unknownOp(_ op: String) -> WireError {
    let ops = declarations.map(\.op)
    let hint = Suggestion.likely(for: op, among: ops).map { "did you mean \"\($0)\"?" }
    return WireError(.unknownOp, "no op \(op.quoted); \(hint ?? "there are \(ops.joined(separator: ", "))")")
  }

  /// Whether it matters to others than its sender, so that it is carried out even if its sender has gone.
  package var concernsOthers: Bool {
    switch self {
    case .send, .reload, .restart: true
    case .hello, .ping, .subscribe, .unsubscribe, .get, .call, .list, .describe, .stats, .help: false
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
    case .describe: DescribeRequest.op
    case .stats: StatsRequest.op
    case .reload: ReloadRequest.op
    case .restart: RestartRequest.op
    case .help: HelpRequest.op
    }
  }
}

/// A line that asks for something.
package struct RequestLine: Sendable {
  package let id: RequestID?
  package let request: Request

  /// The refusal of this request.
  package func refusal(_ error: WireError) -> Refusal { Refusal(id: id, op: request.op, error) }
}
