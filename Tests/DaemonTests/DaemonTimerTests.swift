import GraphEngine
import Testing

@testable import Daemon

@Suite struct `The clock of the daemon` {
  @Test func `has what clients wait for, unknown to the graphs`() throws {
    let daemon = try HostKind.inProcess.start(
      "g: {signals: {a: {property: {initial: 1}}, b: {input: {}}}}", server: "{limits: {client: {sends: 1}}}")
    let client = try daemon.connect()
    _ = try client.ask(#"{"op":"subscribe","signal":"g.a","every":"1h","heartbeat":"1h"}"#)
    try client.say("send g.b 1", "send g.b 2", "send g.b 3")
    let runtime = try #require(daemon.host as? LoopHost).daemon.hub.runtime
    try daemon.iteration { runtime.signal(named: "g.b")?.sequence == 1 }
    #expect(runtime.nextDeadline == nil)
    try daemon.iteration { runtime.signal(named: "g.b")?.sequence == 3 }
    #expect(runtime.nextDeadline == nil)
  }
}
