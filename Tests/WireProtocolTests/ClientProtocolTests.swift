import JSON
import TestSupport
import Testing
import WireProtocol

/// The declarations of requests, events and codes: the source of the constants in the libraries of `clients`.
struct ClientProtocolTests {
  /// One of each event; the switch below makes the compiler check that it is complete.
  private static let events: [SubscriptionEvent] = [
    .completed(signal: "g.s"), .failed(signal: "g.s", Failure(code: "c", message: "m")),
    .interrupted(signal: "g.s", .removed), .lagged(signal: "g.s", dropped: 1), .renewed(signal: "g.s", epoch: "e"),
    .subscribed(signal: "g.s", seq: 1, epoch: "e"), .ended(signal: "g.*"), .alive(signal: "g.s", seq: 1),
  ]

  private static func doc(_ event: SubscriptionEvent) -> String {
    switch event {
    case .completed: "the signal has ended"
    case .failed: "the signal has ended with an error"
    case .interrupted: "the signal has already ended its time"
    case .lagged: "this many values are missing here, because the client read too slowly or they are not retained"
    case .renewed: "the numbers go on in another epoch"
    case .subscribed: "the pattern now covers this signal"
    case .ended: "the subscription has had its take"
    case .alive: "the signal was quiet for the subscription's heartbeat"
    }
  }

  @Test func `the committed declarations of the protocol are those of the daemon`() throws {
    var lines = ["{", #""protocol": \#(protocolVersion),"#, #""version": "\#(programVersion)","#, #""errors": ["#]
    lines.append(ErrorCode.allCases.map { #""\#($0.rawValue)""# }.joined(separator: ",\n"))
    lines += ["],", #""requests": ["#]
    lines.append(try Self.helpLines().joined(separator: ",\n"))
    lines += ["],", #""events": ["#]
    var next: [UInt8] = []
    NextEvent(signal: "g.s", subscription: nil).append(
      seq: 1, value: .raw(RawJSON(validated: Array("1".utf8))), to: &next)
    let described =
      [("a value", next)]
      + Self.events.map { event in
        var bytes: [UInt8] = []
        event.append(to: &bytes)
        return (Self.doc(event), bytes)
      }
    lines.append(
      described.map { doc, bytes in
        #"{"doc": "\#(doc)", "example": \#(String(decoding: bytes.dropLast(), as: UTF8.self))}"#
      }.joined(separator: ",\n"))
    lines += ["]", "}", ""]
    try Committed.expect(lines.joined(separator: "\n"), at: "clients/protocol.json")
  }

  /// Returns the explanation of each op, as printed by `help`.
  private static func helpLines() throws -> [String] {
    try RequestDeclaration.all.map { declaration in
      let reply = text { bytes in
        HelpReply(about: declaration.op).append(to: &bytes, id: nil)
      }
      let start = try #require(reply.firstRange(of: "[{"))
      return String(reply[reply.index(after: start.lowerBound)...].dropLast(2))
    }
  }
}
