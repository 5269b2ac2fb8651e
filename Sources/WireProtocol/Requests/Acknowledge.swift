package import JSON

/// A request of an adapter: the outcome of a task.
package struct AcknowledgeRequest: WireRequest {
  package static let op = "acknowledge"
  package static let summary =
    "Acknowledge a task; no reply on success unless it has an id. For adapters."
  package static let fields: [RequestField<Self>] = [
    .required("task", \.task, "the number of the task"),
    .required("result", \.result, "the result, or an output before it (progress)"),
    .optional("value", \.value, "the output"),
    .optional("payload", \.payload, "the output as the peer sent it, instead of a value"),
    .optional("payload_base64", \.bytes, "the output as the peer sent it, if it is not UTF-8"),
    .optional("content_type", \.contentType, "the type of the payload, such as application/json"),
    .optional("details", \.details, "fields of the peer beside the payload, such as status and headers"),
    .optional("error", \.error, "the reason of the failure"),
    .optional("retry", \.mayRetry, "true if another attempt may succeed"),
    .optional("after", \.pause, "seconds the peer asks to wait before it"),
  ]

  package enum Result: String, WordField {
    case done
    case progress
    case failed
  }

  package var task: UInt64 = 0
  package var result = Result.done
  package var value: Payload?
  package var payload: String?
  package var bytes: Base64Text?
  package var contentType: String?
  package var details: Members?
  package var error: PeerFailure?
  package var mayRetry: Bool?
  package var pause: Seconds?

  package init() {}

  package func check() throws(WireError) {
    if [value != nil, payload != nil, bytes != nil].count(where: { $0 }) > 1 {
      throw WireError(.badRequest, "\"acknowledge\" takes only one of \"value\", \"payload\" and \"payload_base64\"")
    }
    if (result == .failed) != (error != nil) {
      throw WireError(.badRequest, "\"error\" goes with \"result\":\"failed\", and that needs one")
    }
    if result != .failed, mayRetry != nil || pause != nil {
      throw WireError(.badRequest, "\"retry\" and \"after\" go only with \"result\":\"failed\"")
    }
  }

  /// The bytes of the payload, if there is one.
  package var payloadBytes: [UInt8]? { payload.map { Array($0.utf8) } ?? bytes?.bytes }
}

package struct AcknowledgeReply: Reply {
  package static let op: StaticString = "acknowledge"

  package init() {}

  package func writeMembers(to line: inout LineWriter) {}
}
