/// A request to cancel a subscription.
package struct UnsubscribeRequest: WireRequest {
  package static let op = "unsubscribe"
  package static let summary = "Cancel a subscription, named as it was subscribed; no event of it follows the answer."
  package static let fields: [RequestField<Self>] = [
    .optional("signal", \.signal, "the signal or pattern subscribed without a label"),
    .optional("subscription", \.subscription, "the label"),
  ]
  package static let shorthand: [ShorthandField] = [.word("signal")]

  package var signal: SignalPattern?
  package var subscription: String?

  package init() {}

  package func check() throws(WireError) {
    try requireOne(of: ("signal", signal != nil), ("subscription", subscription != nil))
  }
}

package struct UnsubscribeReply: Reply {
  package static let op: StaticString = "unsubscribe"

  package init() {}

  package func writeMembers(to line: inout LineWriter) {}
}
