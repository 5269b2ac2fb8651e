import Glibc
import StateLog
import TestSupport
import Testing

/// Durable graphs in the real program, with misbehaving clients and damaged folders.
@Suite struct DurableDaemonTests {
  private static let graphs = """
    g:
      durable: true
      signals:
        in: {input: {endable: true}, replay: 10}
        sum: {from: in, pipe: [{scan: {initial: 0, next: "$state + ."}}], replay: 10}
    """

  private static func send(_ value: Int, _ id: Int) -> String {
    #"{"op":"send","signal":"g.in","value":\#(value),"message_id":"m\#(value)","id":\#(id)}"#
  }

  @Test(arguments: HostKind.allCases)
  func `requests behind a send are answered behind it, and see what it did`(kind: HostKind) throws {
    let client = try kind.start(Self.graphs).connect()
    try client.say(
      Self.send(5, 1), "get g.sum", #"{"op":"subscribe","signal":"g.sum","id":2}"#, Self.send(6, 3), "ping",
      #"{"op":"unsubscribe","signal":"g.sum","id":4}"#, #"{"op":"nonsense","id":5}"#)
    let lines = try client.lines(9)
    #expect(lines[0] == #"{"reply":"send","id":1,"signal":"g.in","seq":1}"#)
    #expect(lines[1] == #"{"reply":"get","signal":"g.sum","seq":1,"value":5}"#)
    #expect(lines[2].hasPrefix(#"{"reply":"subscribe","id":2,"signals":[{"signal":"g.sum","seq":1}"#))
    #expect(lines[3] == #"{"event":"next","signal":"g.sum","seq":1,"value":5}"#)
    #expect(lines[4] == #"{"event":"next","signal":"g.sum","seq":2,"value":11}"#)
    #expect(lines[5] == #"{"reply":"send","id":3,"signal":"g.in","seq":2}"#)
    #expect(lines[6] == #"{"reply":"ping"}"#)
    #expect(lines[7].hasPrefix(#"{"reply":"unsubscribe","id":4"#))
    #expect(lines[8].contains(#""id":5"#) && lines[8].contains("unknown_op"))
  }

  @Test(arguments: HostKind.allCases)
  func `a client that finishes sending gets its answers, and the requests of one that goes away are carried out`(
    kind: HostKind
  ) throws {
    let daemon = try kind.start(Self.graphs)
    let done = try daemon.connect()
    try done.say(Self.send(1, 1), Self.send(2, 2))
    try done.finish()
    try done.expect(
      #"{"reply":"send","id":1,"signal":"g.in","seq":1}"#, #"{"reply":"send","id":2,"signal":"g.in","seq":2}"#)
    try done.expectEnd()
    do {
      let gone = try daemon.connect()
      try gone.say(Self.send(3, 1))
    }
    let client = try daemon.connect()
    var answer = ""
    try daemon.iteration {
      answer = try client.ask("get g.sum")
      return answer.contains(#""seq":3"#)
    }
    #expect(answer == #"{"reply":"get","signal":"g.sum","seq":3,"value":6}"#)
    #expect(try client.ask(Self.send(3, 9)) == #"{"reply":"send","id":9,"signal":"g.in","seq":3,"duplicate":true}"#)
  }

  @Test func `a restart is answered when it has happened`() throws {
    let client = try HostKind.program.start(Self.graphs).connect()
    try client.say(
      #"{"op":"send","signal":"g.in","event":"completed"}"#, #"{"op":"restart","signal":"g.in"}"#, Self.send(1, 1),
      #"{"op":"subscribe","signal":"g.in","replay":0}"#)
    try client.expect(#"{"reply":"restart"}"#, #"{"reply":"send","id":1,"signal":"g.in","seq":1}"#)
    #expect(try client.line().hasPrefix(#"{"reply":"subscribe","signals":[{"signal":"g.in","seq":1}"#))
    try client.expectNothing()
  }

  @Test(arguments: HostKind.allCases, ["g.in", "*.in"])
  func `a subscriber receives the other epoch when a reload makes a graph durable, or no longer durable`(
    kind: HostKind, pattern: String
  ) throws {
    let plain = Self.graphs.replacing("  durable: true\n", with: "")
    let daemon = try kind.start(plain)
    let client = try daemon.connect()
    let process = try #require(try client.ask("hello").firstMatch(of: /"epoch":"(\w+)"/)).1
    try client.say(#"{"op":"subscribe","signal":"\#(pattern)"}"#, #"{"op":"send","signal":"g.in","value":1}"#)
    _ = try client.lines(2)
    var epochs: [Substring] = []
    for (number, graphs) in [Self.graphs, plain, Self.graphs].enumerated() {
      try daemon.folder.writeConfiguration(graphs, server: "{state: \(daemon.folder("state"))}")
      try client.say("reload")
      let renewed = try client.line()
      epochs.append(try #require(renewed.firstMatch(of: /"event":"renewed","signal":"g.in","epoch":"(\w+)"/)).1)
      _ = try client.line()
      try client.say(#"{"op":"send","signal":"g.in","value":1}"#)
      try client.expect(#"{"event":"next","signal":"g.in","seq":\#(number + 2),"value":1}"#)
    }
    #expect(epochs[1] == process)
    #expect(epochs[0] == epochs[2] && epochs[0] != process)
    let again = try daemon.connect()
    try again.say(#"{"op":"subscribe","signal":"g.in","from":3,"epoch":"\#(epochs[2])"}"#)
    _ = try again.line()
    try again.expect(#"{"event":"next","signal":"g.in","seq":4,"value":1}"#)
  }

  @Test func `a second daemon does not take a folder that belongs to another`() throws {
    let daemon = try HostKind.program.start(Self.graphs)
    let second = try ChildProcess(["--config", daemon.folder("signalbox.yaml"), "--socket", daemon.folder("t")])
    #expect(try second.waitForExit() != 0)
    #expect(second.output.contains("is locked by process"))
    let client = try daemon.connect()
    #expect(try client.ask(Self.send(1, 1)) == #"{"reply":"send","id":1,"signal":"g.in","seq":1}"#)
  }

  @Test func `a database that may only be read is refused at once, with the user whose it has to be`() throws {
    let folder = TemporaryFolder()
    let path = folder("state")
    do { try StateFolder(path).makeWriter {}.close() }
    for (name, mode) in [("", 0o777), ("/lock", 0o666), ("/state.sqlite", 0o444)] as [(String, mode_t)] {
      #expect(chmod(path + name, mode) == 0)
    }
    let error = #expect(throws: StorageError.self) {
      try FileRights.withoutRoot { try StateFolder(path).makeWriter {}.close() }
    }
    #expect(error?.kind == .failed)
    #expect(error?.description.contains("\(path) and its files must belong to user \(getuid())") == true)
  }

  @Test func `a folder that cannot be converted to is reported at the start`() throws {
    let folder = TemporaryFolder()
    try folder.write("a file", to: "file")
    let path = try folder.writeConfiguration(Self.graphs, server: "{state: \(folder("file"))/state}")
    let child = try ChildProcess(["--config", path, "--socket", folder("s")])
    #expect(try child.waitForExit() != 0)
    #expect(child.output.contains("\(folder("file"))/state"))
  }

  @Test(arguments: HostKind.allCases)
  func `a property has its value for the first client, and after a reload`(kind: HostKind) throws {
    let graph = { (more: String) in "g: {durable: true, signals: {p: {property: {initial: 7}}\(more)}}" }
    let daemon = try kind.start(graph(""))
    let client = try daemon.connect()
    #expect(try client.ask("get g.p") == #"{"reply":"get","signal":"g.p","seq":1,"value":7}"#)
    try daemon.folder.writeConfiguration(graph(", q: {property: {initial: 8}}"))
    try client.say("reload", "get g.q")
    #expect(try client.line().contains(#""added":["g.q"]"#))
    #expect(try client.line() == #"{"reply":"get","signal":"g.q","seq":1,"value":8}"#)
  }
}
