import DiskFaults
import Foundation
import GraphEngine
import GraphModel
import GraphStories
import Linux
import Persistence
import TestSupport
import Testing

@testable import Daemon

/// A daemon whose durable graphs have two homes, as its clients see them.
@Suite(.streams("b")) struct HomeTests {
  private static let graphs = """
    a:
      durable: true
      signals:
        in: {input: {endable: true}, replay: 9}
        sum: {from: in, pipe: [{scan: {initial: 0, next: $state + .}}], replay: 9}
    b:
      durable: true
      signals:
        in: {input: {}, replay: 9}
        count: {from: a.sum, pipe: [{scan: {initial: 0, next: $state + 1}}], replay: 9}
    c: {signals: {in: {input: {}}}}
    """

  private let folder = TemporaryFolder()

  private func start(_ graphs: String = HomeTests.graphs) throws -> (TestDaemon, LoopHost) {
    let path = try folder.writeConfiguration(graphs, server: "{state: \(folder("state"))}")
    try? FileManager.default.removeItem(atPath: folder("s"))
    let host = try LoopHost(configuration: path, socket: folder("s"), streams: folder("stream"))
    return (TestDaemon(host, folder: folder), host)
  }

  private func stop(_ host: LoopHost) throws {
    host.daemon.end()
    _ = try host.loop.run()
  }

  @Test func `answers keep their order, whichever home they wait for`() throws {
    let (daemon, _) = try start()
    let client = try daemon.connect()
    try client.say(
      #"{"op":"send","signal":"a.in","value":1,"id":1}"#, #"{"op":"send","signal":"b.in","value":2,"id":2}"#,
      #"{"op":"send","signal":"b.in","value":3,"id":3}"#, #"{"op":"send","signal":"c.in","value":4,"id":4}"#,
      #"{"op":"send","signal":"a.in","value":5,"id":5}"#, #"{"op":"nonsense","id":6}"#, "get b.count")
    let lines = try client.lines(7)
    #expect(
      lines.prefix(5) == [
        #"{"reply":"send","id":1,"signal":"a.in","seq":1}"#, #"{"reply":"send","id":2,"signal":"b.in","seq":1}"#,
        #"{"reply":"send","id":3,"signal":"b.in","seq":2}"#, #"{"reply":"send","id":4,"signal":"c.in","seq":1}"#,
        #"{"reply":"send","id":5,"signal":"a.in","seq":2}"#,
      ])
    #expect(lines[5].contains(#""id":6"#) && lines[6].hasPrefix(#"{"reply":"get","signal":"b.count""#))
  }

  @Test func `sends without an id are known to be written, in either home`() throws {
    let (daemon, host) = try start()
    let client = try daemon.connect()
    try client.say(
      #"{"op":"send","signal":"a.in","value":1}"#, #"{"op":"send","signal":"b.in","value":2}"#,
      #"{"op":"send","signal":"a.in","value":3}"#, "get a.sum")
    try client.expect(#"{"reply":"get","signal":"a.sum","seq":2,"value":4}"#)
    #expect(try client.ask("get b.in") == #"{"reply":"get","signal":"b.in","seq":1,"value":2}"#)
    try daemon.iteration { host.daemon.running.map(\.graphs.isIdle) == [true, true] }
    #expect(try client.ask("get b.count") == #"{"reply":"get","signal":"b.count","seq":2,"value":2}"#)
  }

  @Test func `a restart of signals in both homes is answered once, when both have restarted`() throws {
    let (daemon, host) = try start()
    let client = try daemon.connect()
    try client.say(#"{"op":"send","signal":"a.in","event":"completed","id":1}"#)
    _ = try client.line()
    try daemon.iteration { host.daemon.hub.runtime.signal(named: "b.count")?.ending != nil }
    try client.say(
      #"{"op":"restart","signal":"a.in","id":2}"#, #"{"op":"send","signal":"a.in","value":1,"id":3}"#,
      #"{"op":"send","signal":"b.in","value":1,"id":4}"#)
    try client.expect(
      #"{"reply":"restart","id":2}"#, #"{"reply":"send","id":3,"signal":"a.in","seq":1}"#,
      #"{"reply":"send","id":4,"signal":"b.in","seq":1}"#)
    var count = ""
    try daemon.iteration {
      count = try client.ask("get b.count")
      return count.contains("value")
    }
    #expect(count == #"{"reply":"get","signal":"b.count","seq":1,"value":1}"#)
  }

  @Test func `a subscriber resumes in the epoch of each home after a restart, and in no other`() throws {
    var epochs: [String: String] = [:]
    do {
      let (daemon, host) = try start()
      let client = try daemon.connect()
      for name in ["a.in", "b.in"] {
        try client.say(#"{"op":"send","signal":"\#(name)","value":1,"id":1}"#)
        _ = try client.line()
        try client.say(#"{"op":"subscribe","signal":"\#(name)","replay":0}"#)
        _ = try client.line()
        epochs[name] = client.epoch
      }
      #expect(epochs.count == 2 && epochs["a.in"] != epochs["b.in"])
      try stop(host)
    }
    let (daemon, _) = try start()
    let client = try daemon.connect()
    for (name, other) in [("a.in", "b.in"), ("b.in", "a.in")] {
      try client.say(#"{"op":"send","signal":"\#(name)","value":2,"id":1}"#)
      try client.expect(#"{"reply":"send","id":1,"signal":"\#(name)","seq":2}"#)
      func from(_ home: String) throws -> String {
        #"{"op":"subscribe","signal":"\#(name)","from":1,"epoch":"\#(try #require(epochs[home]))"}"#
      }
      let refusal = try client.ask(try from(other))
      #expect(refusal.contains(#""code":"expired""#))
      try client.say(try from(name))
      _ = try client.line()
      try client.expect(#"{"event":"next","signal":"\#(name)","seq":2,"value":2}"#)
    }
  }

  @Test func `a damaged home refuses alone`() throws {
    try stop(try start().1)
    let database = folder("stream-b/state.sqlite")
    try #require(FileManager.default.fileExists(atPath: database))
    try Data(repeating: 7, count: 5000).write(to: URL(filePath: database))
    let (daemon, host) = try start()
    #expect(host.log.records.contains { $0.message.hasPrefix("cannot start durable graphs of stream b/0: ") })
    let client = try daemon.connect()
    #expect(
      try client.ask(#"{"op":"send","signal":"a.in","value":1,"id":1}"#)
        == #"{"reply":"send","id":1,"signal":"a.in","seq":1}"#)
    let refusal = try client.ask(#"{"op":"send","signal":"b.in","value":1,"id":2}"#)
    #expect(refusal.contains(#""code":"storage""#) && refusal.contains("stream-b"))
    // Its values, numbers and epoch are not known: one who follows it tries again, and loses its place in it otherwise.
    for request in [
      #"{"op":"get","signal":"b.in","id":3}"#, #"{"op":"subscribe","signal":"b.in","id":4}"#,
      #"{"op":"subscribe","signal":"b.in","from":1,"epoch":"e","id":5}"#,
      #"{"op":"subscribe","signal":"b.*","from":{"b.in":{"seq":1,"epoch":"e"}},"id":6}"#,
    ] { #expect(try client.ask(request).contains(#""code":"storage""#)) }
    try host.loop.runIteration(timeout: .zero)
  }

  @Test
  func `a full disk at the start leaves the other graphs running, and the durable ones start once there is space`()
    throws
  {
    let disk = FaultyDisk(folder("state"), .full(at: 1))
    let (daemon, host) = try start()
    #expect(host.log.records.contains { $0.message.hasPrefix("cannot start durable graphs now, retrying: ") })
    let client = try daemon.connect()
    let send = #"{"op":"send","signal":"a.in","value":1,"id":1}"#
    #expect(try client.ask(send).contains(#""code":"storage""#))
    #expect(try client.ask(#"{"op":"send","signal":"c.in","value":1,"id":2}"#).contains(#""seq":1"#))
    for op in ["get", "subscribe"] {
      #expect(try client.ask(#"{"op":"\#(op)","signal":"a.sum","id":3}"#).contains(#""code":"storage""#))
    }
    try client.say(#"{"op":"subscribe","signal":"a.su*"}"#)
    _ = try client.line()
    let former = client.epoch
    disk.mend()
    let renewed = try client.line()
    let epoch = host.daemon.hub.commits(of: .folder)?.graphs.epoch
    #expect(renewed == #"{"event":"renewed","signal":"a.sum","epoch":"\#(epoch ?? "")"}"# && former != epoch)
    try client.say(send)
    #expect(try client.line().contains(#""event":"next","signal":"a.sum","seq":1,"value":1"#))
    #expect(try client.line() == #"{"reply":"send","id":1,"signal":"a.in","seq":1}"#)
    #expect(host.log.records.count { $0.message.contains("cannot start durable graphs") } == 1)
  }

  @Test func `a reload opens a home, and leaves its epoch with it`() throws {
    let plain = Self.graphs.replacingOccurrences(of: "b:\n  durable: true\n", with: "b:\n")
    let (daemon, host) = try start(plain)
    let client = try daemon.connect()
    try client.say(#"{"op":"subscribe","signal":"b.in","replay":0}"#)
    _ = try client.line()
    let process = try #require(client.epoch)
    var epochs: [String] = []
    for graphs in [Self.graphs, plain, Self.graphs] {
      try folder.writeConfiguration(graphs, server: "{state: \(folder("state"))}")
      try client.say("reload")
      let renewed = try client.line()
      epochs.append(String(try #require(renewed.firstMatch(of: /"event":"renewed","signal":"b.in","epoch":"(\w+)"/)).1))
      _ = try client.line()
      try client.say(#"{"op":"send","signal":"b.in","value":1}"#)
      _ = try client.line()
    }
    let stream = host.daemon.hub.commits(of: .stream(graph: "b", partition: 0))
    #expect(epochs == [stream?.graphs.epoch, process, stream?.graphs.epoch])
    #expect(stream?.graphs.epoch != host.daemon.hub.commits(of: .folder)?.graphs.epoch)
  }

  @Test func `a handover has the state of all homes`() throws {
    let (_, host) = try start()
    #expect(host.daemon.settleForHandover())
    let state = host.daemon.state
    let decoded = try HandoverState(state.bytes, present: host.daemon.stored)
    #expect(Set(decoded.durable.keys) == [.folder, .stream(graph: "b", partition: 0)])
    #expect(decoded.bytes == state.bytes)
  }

  @Test func `senders wait for the homes that their values enter`() throws {
    let (_, host) = try start(
      Self.graphs + "\nd: {signals: {both: {input: {}, pipe: [{send_to: a.in}, {send_to: b.in}]}, one: {from: c.in}}}")
    func homes(_ name: String) -> [Home]? {
      host.daemon.hub.channels.first { $0.name == name }?.fedCommits.map(\.home)
    }
    let stream = Home.stream(graph: "b", partition: 0)
    #expect(homes("a.in") == [.folder, stream] && homes("a.sum") == [.folder, stream])
    #expect(homes("b.in") == [stream] && homes("d.both") == [.folder, stream])
    #expect(homes("c.in") == [] && homes("d.one") == [])
  }
}
