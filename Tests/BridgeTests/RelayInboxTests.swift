import Testing
import WireProtocol

@testable import Bridge

@Suite struct `What waits for a daemon at its relay` {
  private static func message(_ number: UInt32) -> RelayInbox.Event {
    .frame(.message(number, RelayMessage(subject: "a", payload: Array(repeating: 0, count: 300))))
  }

  @Test func `comes in order up to a bound, beyond which the connection is given up`() throws {
    let inbox = try RelayInbox(mostBytes: 1000)
    func taken() -> [String] {
      inbox.take().map {
        switch $0 {
        case .frame(.message(let number, _)): "\(number)"
        case .overflow: "overflow"
        default: "other"
        }
      }
    }
    for number: UInt32 in 1...2 { inbox.put(Self.message(number)) }
    #expect(taken() == ["1", "2"])
    for number: UInt32 in 3...6 { inbox.put(Self.message(number)) }
    #expect(taken() == ["overflow", "6"])
    inbox.put(Self.message(7))
    #expect(taken() == ["7"])
  }
}
