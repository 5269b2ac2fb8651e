internal import Signals

/// The answers of an owner to the sends of one request, by their numbers in the link.
package struct AnswerList: Equatable, Sendable {
  package struct Member: Equatable, Sendable {
    package let number: UInt64
    package let answer: SendAnswer

    package init(_ number: UInt64, _ answer: SendAnswer) { (self.number, self.answer) = (number, answer) }
  }

  package var members: [Member]
  /// True if the owner understands several sends in one request.
  package let isList: Bool

  private static let mark: UInt8 = 5

  package init(_ members: [Member], isList: Bool = true) { (self.members, self.isList) = (members, isList) }

  /// The answers as the node that asked understands them: without a list, there is one.
  package var bytes: [UInt8] {
    var encoder = StateEncoder()
    guard isList else {
      members.first?.answer.encode(to: &encoder)
      return encoder.bytes
    }
    encoder.byte(Self.mark)
    encoder.count(members.count)
    for member in members {
      encoder.number(member.number)
      member.answer.encode(to: &encoder)
    }
    return encoder.bytes
  }

  /// - Parameter first: The number of the request's first send, to which an answer without a list belongs.
  package init?(_ bytes: [UInt8], toFirst first: UInt64) {
    var decoder = StateDecoder(bytes)
    do throws(StateError) {
      isList = bytes.first == Self.mark
      if isList {
        _ = try decoder.byte()
        members = []
        for _ in 0..<(try decoder.count()) {
          members.append(Member(try decoder.number(), try SendAnswer(from: &decoder)))
        }
      } else {
        members = [Member(first, try SendAnswer(from: &decoder))]
      }
    } catch { return nil }
    guard decoder.isAtEnd else { return nil }
  }
}

/// Gathers the answers to the sends of one request, which are answered together.
package final class AnswerGathering {
  private var list: AnswerList
  private var missing: Int
  private let answer: (AnswerList) -> Void

  /// - Parameter answer: Called once each send has been answered or left out, unless all were left out.
  package init(to request: OwnerRequest, _ answer: @escaping (AnswerList) -> Void) {
    list = AnswerList([], isList: request.takesList)
    missing = request.sends.count
    self.answer = answer
  }

  package func add(_ number: UInt64, _ answer: SendAnswer) {
    list.members.append(AnswerList.Member(number, answer))
    finishOne()
  }

  /// Leaves out a send that another request of the link waits for.
  package func leaveOut() { finishOne() }

  private func finishOne() {
    missing -= 1
    if missing == 0, !list.members.isEmpty { answer(list) }
  }
}
