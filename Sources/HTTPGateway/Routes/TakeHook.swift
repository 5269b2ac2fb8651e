internal import JSON
internal import Linux
internal import WireProtocol

extension Route {
  static let takeHook = Route(
    methods: ["POST"], path: "/hooks/{name}",
    summary: "Send a webhook of another service to the signal of the hook: {hook, type, headers, body}.",
    access: .signed,
    parameters: [
      .header("X-GitHub-Delivery", "or Idempotency-Key, Webhook-Id: a repeated one is accepted once")
    ],
    body: Body(type: "*/*", doc: "JSON, a form or text, signed with the secret of the hook"),
    answers: [
      Answer(status: 200, doc: "the value has been emitted", type: "application/json"),
      Answer(
        status: 202, doc: "the value was accepted, and dropped by the pipe of the input", type: "application/json"),
    ],
    problems: ["not_found", "bad_signature", "bad_value", "bad_json", "ended"]
  ) { call throws(Problem) in
    guard let hook = call.context.doorkeeper.hook(call.name) else { throw .notFound(call.request.path) }
    guard hook.isSigned(call.request, now: Int(WallTime.now().microseconds / 1_000_000)) else {
      throw Problem(403, "bad_signature", "invalid signature in \(hook.header)")
    }
    let id =
      call.request.header("Idempotency-Key") ?? call.request.header("X-GitHub-Delivery")
      ?? call.request.header("Webhook-Id")
    try call.send(try HookValue.value(of: call.request, for: hook), to: hook.signal, messageID: id, mayDiscard: true)
  }
}
