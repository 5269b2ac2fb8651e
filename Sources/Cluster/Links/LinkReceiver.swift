/// The sends that an owner receives from one process of another node, in their order.
///
/// A new term begins with none: the link's oldest send is the first one that it takes.
package struct LinkReceiver {
  package enum Verdict: Equatable {
    /// Perform the send, unless its message ID is known; then report the answer.
    case take
    /// The send was taken before, and its answer is this.
    case answer(SendAnswer)
    /// The send was taken before, and is not answered yet.
    case wait
  }

  /// The number of the last send taken in this term; `nil` before the first.
  private var last: UInt64?
  /// The number of the oldest send that the link may repeat.
  private var first: UInt64 = 1
  /// The answers to sends that the link may repeat.
  private var answers: [UInt64: SendAnswer] = [:]

  package init() {}

  package mutating func arrived(_ send: ForwardedSend) -> Verdict {
    discard(below: send.first)
    if let last, send.number <= last { return answers[send.number].map { .answer($0) } ?? .wait }
    // The link may have given up sends that were never taken.
    guard send.number == max(last.map { $0 + 1 } ?? send.first, send.first) else { return .answer(.again) }
    last = send.number
    return .take
  }

  private mutating func discard(below number: UInt64) {
    guard number > first else { return }
    if number - first > UInt64(answers.count) {
      answers = answers.filter { $0.key >= number }
    } else {
      for answered in first..<number { answers[answered] = nil }
    }
    first = number
  }

  package mutating func answered(_ number: UInt64, _ answer: SendAnswer) { answers[number] = answer }
}
