import Foundation
import TestSupport
import Testing

/// The recordings of `record`, and their replay by `replay`.
struct RecordTests {
  private static let graph = """
    signalbox: 1
    graphs:
      g:
        signals:
          a: {input: {type: number, endable: true}}
          b: {property: {initial: 7, type: number}}
          sum: {from: a, pipe: [{scan: {initial: 0, next: "$state + ."}}], hold: true}
    """

  @Test func `a recording can be simulated, and replayed to another daemon`() throws {
    let daemon = try RunningDaemon(Self.graph)
    defer { daemon.stop() }
    let folder = TemporaryFolder()
    let recorder = try RunningClient("record", "-o", folder("r.jsonl"), "g.*", socket: daemon.socket)
    // The input is subscribed to once the property's held value is in the file.
    try Self.wait(for: #""value":7"#, in: folder("r.jsonl"))
    #expect(try Client.run("send", "g.a", "1", "2", socket: daemon.socket).status == 0)
    #expect(try Client.run("send", "--event", "completed", "g.a", socket: daemon.socket).status == 0)
    try Self.wait(for: #""event":"completed","signal":"g.sum""#, in: folder("r.jsonl"))
    recorder.stop()

    let recording = try String(contentsOfFile: folder("r.jsonl"), encoding: .utf8)
    let simulated = try Client.run("simulate", daemon.configuration, "g.sum", input: recording)
    #expect(simulated.output.contains(#""signal":"g.sum","seq":2,"value":3"#))

    let other = try RunningDaemon(Self.graph)
    defer { other.stop() }
    let replay = try Client.run("replay", "--speed", "max", input: recording, socket: other.socket)
    #expect(replay.status == 0)
    #expect(replay.errors == "signalbox: skipped lines of other signals: g.sum\n")
    #expect(try Client.run("get", "g.sum", socket: other.socket).output == "3\n")
    #expect(try Client.run("list", "--json", "g.a", socket: other.socket).output.contains(#""event":"completed""#))
    // A client that replays again reports the values that can no longer be sent.
    let again = try Client.run("replay", "--speed", "max", "g.a", input: recording, socket: other.socket)
    #expect(again.status == 1)
    #expect(again.errors.contains("g.a") && again.errors.contains("signalbox: line "))
  }

  private static func wait(for text: String, in file: String) throws {
    let deadline = ContinuousClock.now + .seconds(20)
    while (try? String(contentsOfFile: file, encoding: .utf8))?.contains(text) != true {
      guard ContinuousClock.now < deadline else { throw POSIXError(.ETIMEDOUT) }
      sched_yield()
    }
  }

  @Test func `a file that is there is left alone, and a time ends a recording`() throws {
    let daemon = try RunningDaemon(Self.graph)
    defer { daemon.stop() }
    let folder = TemporaryFolder()
    let first = try Client.run("record", "--for", "2s", "-o", folder("r.jsonl"), "g.b", socket: daemon.socket)
    #expect(first.status == 0)
    #expect(try String(contentsOfFile: folder("r.jsonl"), encoding: .utf8).hasPrefix(#"{"event":"connected""#))
    let second = try Client.run("record", "-o", folder("r.jsonl"), "g.b", socket: daemon.socket)
    #expect(second.status == 73)
    #expect(second.errors.contains("r.jsonl: File exists"))
  }

  @Test func `a replay keeps the pace, or a multiple of it, and sends what was held at once`() throws {
    let daemon = try RunningDaemon(Self.graph)
    defer { daemon.stop() }
    let recording = """
      {"reply":"subscribe","id":1,"signals":[{"signal":"g.a","seq":0},{"signal":"g.b","seq":1}]}
      {"event":"next","signal":"g.b","seq":1,"value":9,"at":"2020-01-01T00:00:00.000000Z"}
      {"event":"next","signal":"g.a","seq":1,"value":1,"at":"2026-05-01T12:00:00.000000Z"}
      {"event":"renewed","signal":"g.a","epoch":"x","at":"2026-05-01T12:00:01.000000Z"}
      {"event":"next","signal":"g.a","seq":2,"value":2,"at":"2026-05-01T12:00:10.000000Z"}
      {"event":"next","signal":"g.a","seq":2,"value":2,"at":"2026-05-01T12:00:10.000000Z"}

      """
    let begin = ContinuousClock.now
    let result = try Client.run("replay", "--speed", "50", input: recording, socket: daemon.socket)
    let time = ContinuousClock.now - begin
    #expect(result.status == 0, "\(result.errors)")
    #expect(time >= .milliseconds(200) && time < .seconds(10))
    #expect(try Client.run("get", "g.b", socket: daemon.socket).output == "9\n")
    // A value that is recorded twice was sent once.
    #expect(try Client.run("get", "g.sum", socket: daemon.socket).output == "3\n")
  }

  @Test(arguments: [
    (["replay", "--speed", "0"], 64, "--speed must be a number above 0 or max, not 0"),
    (["replay", "--speed", "1e-20"], 64, "--speed must be at least 1e-06, not 1e-20"),
    (["replay", "g.sum"], 68, "no input matches g.sum"),
    (["replay"], 65, "line 1: invalid JSON"), (["record"], 64, "missing operand"),
  ])
  func `arguments that make no sense are reported`(arguments: [String], status: Int32, message: String) throws {
    let daemon = try RunningDaemon(Self.graph)
    defer { daemon.stop() }
    let result = try Client.run(arguments, input: "nonsense\n", socket: daemon.socket)
    #expect(result.status == status)
    #expect(result.errors.contains(message), "\(result.errors)")
  }
}
