internal import HTTPServer
internal import JSON
internal import WireProtocol

extension Route {
  static let takeHook = Route(
    methods: ["POST"], path: "/hooks/{name}",
    summary: "Sends what another service pushes into the hook's signal: {hook, type, headers, body}.",
    access: .signed,
    parameters: [
      .header("X-GitHub-Delivery", "or Idempotency-Key: sent again with the same one, it does nothing more")
    ],
    body: Body(type: "*/*", doc: "JSON, a form or text; signed with the hook's secret"),
    answers: [
      Answer(status: 200, doc: "the value has its number", type: "application/json"),
      Answer(
        status: 202, doc: "the value was taken, and the input's own pipe let nothing through", type: "application/json"),
    ],
    problems: ["not_found", "bad_signature", "bad_value", "bad_json", "ended"]
  ) { call throws(Problem) in
    guard let hook = call.context.doorkeeper.hook(call.name) else { throw .notFound(call.request.path) }
    guard hook.isSigned(call.request.body, by: call.request.header(hook.header)) else {
      throw Problem(403, "bad_signature", "\(hook.header) is not the signature of this body")
    }
    let id = call.request.header("Idempotency-Key") ?? call.request.header("X-GitHub-Delivery")
    try call.send(try HookValue.value(of: call.request, for: hook), to: hook.signal, messageID: id, mayForget: true)
  }
}
