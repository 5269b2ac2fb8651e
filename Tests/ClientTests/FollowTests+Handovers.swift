import TestSupport
import Testing

// Handovers that failed, for all clients or for one subscription.

extension FollowTests {
  @Test(arguments: ["a.b", "a.*"], [true, false])
  func `a subscription that a new process could not resume is resumed by another connection`(
    pattern: String, staysOpen: Bool
  ) throws {
    let (result, _) = try Self.talk(
      "--take", "3", pattern,
      connections: [
        { line, id in
          if line.contains("hello") { return Self.hello("e", id) }
          if line.contains("ping") { return Self.pong(id) + (staysOpen ? [] : [FakeDaemon.closing]) }
          return Self.subscribed(id, ["a.b": 2], epoch: "kept")
            + [Self.next("a.b", 1), Self.next("a.b", 2), Self.interrupted("a.b")]
        },
        { line, id in
          if line.contains("hello") { return Self.hello("f", id) }
          if line.contains("ping") { return Self.pong(id) }
          let old = line.contains(#""from":2,"epoch":"kept""#) ? [] : [Self.next("a.b", 1), Self.next("a.b", 2)]
          return Self.subscribed(id, ["a.b": 3], epoch: "kept") + old + [Self.next("a.b", 3)]
        },
      ])
    let name = pattern == "a.b" ? "" : "a.b\t"
    #expect(result.output == [10, 20, 30].map { "\(name)\($0)\n" }.joined())
    #expect(result.errors == "signalbox: a.b was interrupted: restarted; retrying\n" + Self.reopened)
    #expect(result.status == 0)
  }

  @Test func `a condition that the new process refuses is an error`() throws {
    let result = try Self.talk(
      "a.b", "--where", ". > 0",
      connections: [
        { line, id in
          if line.contains("hello") { return Self.hello("e", id) }
          if line.contains("ping") { return Self.pong(id) + [Self.interrupted("a.b")] }
          return Self.subscribed(id, ["a.b": 1], Self.next("a.b", 1))
        },
        { line, id in
          if line.contains("hello") { return Self.hello("e", id) }
          if line.contains("ping") { return Self.pong(id) }
          return [
            #"{"reply":"error","id":\#(id),"op":"x","error":{"code":"bad_request","message":"no such function"}}"#
          ]
        },
      ]
    ).result
    #expect(result.output == "10\n")
    #expect(result.errors.hasSuffix("signalbox: no such function\n"))
    #expect(result.status == 64)
  }
}
