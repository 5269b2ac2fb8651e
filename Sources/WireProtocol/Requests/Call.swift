package import JSON

/// A request to run an action; its outputs follow as events, then the answer.
package struct CallRequest: WireRequest {
  package static let op = "call"
  package static let summary = "Run an action: an event for each output, then the answer. Needs an id."
  package static let fields: [RequestField<Self>] = [
    .required("action", \.action, "the action"),
    .optional("value", \.value, "the standard input of the program"),
  ]
  package static let needsID = true

  package var action = ""
  package var value: Payload?

  package init() {}
}

package struct CallReply: Reply {
  package static let op: StaticString = "call"

  package init() {}

  package func writeMembers(to line: inout LineWriter) {}
}

/// An output of an action.
package struct CallEvent: Sendable {
  package let call: RequestID
  package let value: Payload

  package init(call: RequestID, value: Payload) {
    self.call = call
    self.value = value
  }

  package func append(to bytes: inout [UInt8]) {
    appendLine(to: &bytes) { line in
      line.begin("event", "next")
      line.member("call", text: call.bytes)
      line.member("value", value)
    }
  }
}
