import DiskFaults
import Foundation
import GraphEngine
import GraphModel
import JSON
import Linux
import Persistence
import StateLog
import TestSupport
import Testing
import World

@testable import Daemon

/// A daemon with sources in durable graphs, whose disk is full for a while.
@Suite struct FullDiskTests {
  private let folder = TemporaryFolder()

  private func append(_ text: String, to name: String) throws {
    let number = open(folder(name), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    let file = OwnedDescriptor(owning: number)
    try file.transfer.writeAll(text)
  }

  @Test func `the sources of durable graphs wait where they are, and those of other graphs go on`() throws {
    let disk = FaultyDisk(folder("state"), .none)
    for name in ["d", "w"] { mkdir(folder(name), 0o700) }
    let lines =
      #"lines: {tail: {path: "\#(folder("d"))/*", glob: true, from: start}, pipe: [{map: .value}], replay: 99}"#
    let run = #"run: {exec: [sh, -c, "tail -n +1 -F \#(folder("p"))"], replay: 99}"#
    let seen = #"seen: {watch: "\#(folder("w"))", pipe: [{map: .event}], replay: 99}"#
    let sources = "{in: {input: {}}, \(lines), \(run), \(seen)}"
    let path = try folder.writeConfiguration(
      "o: {signals: \(sources)}\ng: {durable: true, signals: \(sources)}", server: "{state: \(folder("state"))}")
    let host = try LoopHost(configuration: path, socket: folder("s"))
    let daemon = TestDaemon(host, folder: folder)
    let client = try daemon.connect()

    func values(_ name: String) -> [String] {
      let retained = host.daemon.hub.runtime.signal(named: name)?.retained.latest(99) ?? []
      return retained.map { $0.payload.value.description.trimmingCharacters(in: ["\""]) }.sorted()
    }
    func expect(_ expected: [String: [String]], in graph: String) throws {
      for (name, expected) in expected {
        try daemon.iteration { values("\(graph).\(name)").count >= expected.count }
        #expect(values("\(graph).\(name)") == expected, "\(graph).\(name)")
      }
    }

    for name in ["d/a", "p", "w/x"] { try append("1\n", to: name) }
    for graph in ["o", "g"] { try expect(["lines": ["1"], "run": ["1"], "seen": ["created"]], in: graph) }
    disk.fill()
    try client.say(#"{"op":"send","signal":"g.in","value":1,"id":1}"#)
    let graphs = try #require(host.daemon.hub.commits(of: .folder)?.graphs)
    try daemon.iteration { graphs.failure != nil }
    for name in ["d/a", "p"] { try append("2\nha", to: name) }
    try append("other\n", to: "d/b")
    try append("", to: "w/y")
    try expect(["lines": ["1", "2", "other"], "run": ["1", "2"], "seen": ["created", "created"]], in: "o")
    for name in ["d/a", "p"] { try append("lf\n", to: name) }
    unlink(folder("w/x"))
    let all = [
      "lines": ["1", "2", "half", "other"], "run": ["1", "2", "half"], "seen": ["created", "created", "removed"],
    ]
    try expect(all, in: "o")
    #expect(graphs.failure != nil && values("g.lines") == ["1"])
    disk.mend()
    try daemon.iteration { graphs.failure == nil }
    try expect(all, in: "g")
    // They waited, rather than that their events were kept here.
    #expect(graphs.lostValues == 0 && values("g.lines") == all["lines"])
  }

  @Test func `a daemon ends although the output of a program waits for space`() throws {
    let disk = FaultyDisk(folder("state"), .none)
    let path = try folder.writeConfiguration(
      "g: {durable: true, signals: {in: {input: {}}, run: {exec: [sh, -c, echo a; exec sleep 1000], replay: 9}}}",
      server: "{state: \(folder("state"))}")
    let host = try LoopHost(configuration: path, socket: folder("s"))
    let daemon = TestDaemon(host, folder: folder)
    let client = try daemon.connect()
    let run = host.daemon.hub.runtime.signal(named: "g.run")
    try daemon.iteration { run?.sequence == 1 }
    disk.fill()
    try client.say(#"{"op":"send","signal":"g.in","value":1,"id":1}"#)
    let graphs = try #require(host.daemon.hub.commits(of: .folder)?.graphs)
    try daemon.iteration { graphs.failure != nil }
    host.daemon.end()
    try daemon.iteration { host.daemon.world.isQuiet }
  }
}
