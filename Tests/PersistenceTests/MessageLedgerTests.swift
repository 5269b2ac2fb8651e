import GraphModel
import Signals
import Testing

@testable import Persistence

/// The message ids remembered by a durable graph.
@Suite struct MessageLedgerTests {
  private static func bytes(_ ledger: MessageLedger) -> [UInt8] {
    var writer = StateEncoder()
    ledger.encode(to: &writer)
    return writer.bytes
  }

  /// Returns a ledger after `count` messages, a millisecond apart.
  private static func ledger(_ count: Int, within bounds: Durability.MessageIDs) -> MessageLedger {
    var ledger = MessageLedger()
    for number in 0..<count {
      let answer = MessageLedger.Answer(signal: "g.a", sequence: number % 3 == 0 ? nil : UInt64(number))
      ledger.note("message \(number)", answer, at: Int64(number) * 1000, within: bounds)
    }
    return ledger
  }

  @Test(arguments: [0, 1, 7, 4000, 20_000], [(600, 100_000), (600, 5), (600, 3000), (2, 100_000)])
  func `one that is read back from the state is the same`(count: Int, bound: (seconds: Int, count: Int)) throws {
    var bounds = Durability().messageIDs
    (bounds.age, bounds.count) = (.seconds(bound.seconds), bound.count)
    var ledger = Self.ledger(count, within: bounds)
    let bytes = Self.bytes(ledger)
    var reader = StateDecoder(bytes)
    var other = try MessageLedger(from: &reader)
    #expect(reader.isAtEnd)
    #expect(Self.bytes(other) == bytes)
    let last = Int64(count - 1) * 1000
    let kept = min(count, bound.count, bound.seconds * 1000 + 1)
    #expect(ledger.count == kept && other.count == kept)
    for number in [count - 1, count - kept, count - kept - 1, 0] where (0..<count).contains(number) {
      let answer = ledger.answer(to: "message \(number)", at: last, within: bounds)
      #expect((answer != nil) == (number >= count - kept), "\(number)")
      #expect(other.answer(to: "message \(number)", at: last, within: bounds) == answer)
    }
    // A repeated message gets its first answer.
    for sequence in 1...2 as ClosedRange<UInt64> {
      let answer = MessageLedger.Answer(signal: "g.b", sequence: sequence)
      ledger.note("another", answer, at: Int64(count) * 1000, within: bounds)
      other.note("another", answer, at: Int64(count) * 1000, within: bounds)
    }
    #expect(Self.bytes(ledger) == Self.bytes(other))
    #expect(ledger.answer(to: "another", at: Int64(count) * 1000, within: bounds)?.sequence == 1)
  }

  @Test func `a message is forgotten after its time though no other one comes`() {
    var bounds = Durability().messageIDs
    bounds.age = .seconds(1)
    let ledger = Self.ledger(1, within: bounds)
    #expect(ledger.answer(to: "message 0", at: 1_000_000, within: bounds) != nil)
    #expect(ledger.answer(to: "message 0", at: 1_000_001, within: bounds) == nil)
    // The clock was set back.
    #expect(ledger.answer(to: "message 0", at: -5_000_000, within: bounds) != nil)
  }
}
