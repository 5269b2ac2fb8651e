import Foundation
import Glibc
import Linux
import TestSupport
import Testing

/// Conditions during a handover: programs, files, other graphs, rates, another configuration, an end.
@Suite struct HandoverMeetingTests {
  /// A daemon that is replaced in place.
  private final class Relay {
    let daemon: TestDaemon
    let process: ChildProcess
    private var handovers = 0

    init(_ graphs: String, server: String = "{}") throws {
      daemon = try HostKind.program.start(graphs, server: server)
      process = try #require(daemon.host as? ProgramHost).process
    }

    func replace() throws {
      handovers += 1
      process.signal(SIGUSR2)
      try process.waitForOutput(containing: "resumed the state", times: handovers)
    }
  }

  @Test func `a program is ended and restarted, and leaves no child behind`() throws {
    let relay = try Relay("g: {signals: {out: {exec: [sh, -c, 'echo $$; exec sleep 1000'], hold: true}}}")
    let client = try relay.daemon.connect()
    try client.say("subscribe g.out")
    // The answer, and the output of the first program.
    _ = try client.lines(2)
    for _ in 0..<5 {
      try relay.replace()
      let program = try #require(try client.line().firstMatch(of: /"value":"(\d+)"/).flatMap { Int32($0.1) })
      #expect(kill(program, 0) == 0)
      let children = try String(
        contentsOfFile: "/proc/\(relay.process.identifier)/task/\(relay.process.identifier)/children", encoding: .utf8)
      #expect(children.split(separator: " ") == ["\(program)"])
    }
  }

  @Test func `an action that a client has called runs once, and the call ends`() throws {
    let folder = TemporaryFolder()
    let relay = try Relay(
      "g: {actions: {act: {exec: [sh, -c, 'echo run >> \(folder("runs")); exec sleep 100']}}, signals: {a: {input: {}}}}"
    )
    let client = try relay.daemon.connect()
    try client.say(#"{"op":"call","id":1,"action":"g.act","value":7}"#)
    try relay.daemon.iteration { FileManager.default.fileExists(atPath: folder("runs")) }
    try relay.replace()
    #expect(try client.line().contains(#""id":1,"op":"call","error":{"code":"restarted""#))
    #expect(try client.ask("get g.act.executing").contains(#""value":false"#))
    try relay.replace()
    #expect(try String(contentsOfFile: folder("runs"), encoding: .utf8) == "run\n")
  }

  @Test func `time continues for a client that only listens`() throws {
    let relay = try Relay("g: {signals: {tick: {interval: 20ms}}}")
    let client = try relay.daemon.connect()
    try client.say("subscribe g.tick")
    _ = try client.lines(3)
    for _ in 0..<3 {
      try relay.replace()
      // More than the kernel may have buffered.
      _ = try client.lines(10)
    }
  }

  @Test func `all is carried out that a client has left behind`() throws {
    let relay = try Relay("g: {signals: {in: {input: {}}}}")
    let listener = try relay.daemon.connect()
    try listener.say("subscribe g.in")
    _ = try listener.line()
    var sent = 0
    for round in 1...3 {
      do {
        let client = try relay.daemon.connect()
        let line = "send g.in \(round)\n"
        let text = String(repeating: line, count: 12_000)
        sent += (text.utf8.count - (try client.offer(text, patience: 3).utf8.count)) / line.utf8.count
      }
      try relay.replace()
    }
    let other = try relay.daemon.connect()
    try other.say("send g.in 99")
    var last = ""
    var hasOther = false
    // Lines that were left behind are carried out beside those of others.
    while !last.contains(#""seq":\#(sent + 1),"#) {
      last = try listener.line()
      if last.contains(#""value":99}"#) { hasOther = true }
    }
    #expect(hasOther)
    try listener.expectNothing()
  }

  @Test(arguments: [false, true], [false, true]) func `a list of values continues, whether its client is there or not`(
    isDurable: Bool, staysThere: Bool
  ) throws {
    let relay = try Relay(
      "g: {durable: \(isDurable), signals: {a: {input: {}}, s: {from: a, pipe: [{map: '[range(300)] | sort_by(-.)'}]}}}"
    )
    let listener = try relay.daemon.connect()
    try listener.say("subscribe g.a")
    _ = try listener.line()
    let values = (1...400).map(String.init).joined(separator: ",")
    var sender: TestClient? = try relay.daemon.connect()
    try sender?.say(#"{"op":"send","id":1,"signal":"g.a","values":[\#(values)]}"#, "send g.a -1")
    _ = try listener.line()
    if !staysThere { sender = nil }
    try relay.replace()
    for number in 2...400 { #expect(try listener.line().contains(#""seq":\#(number),"value":\#(number)}"#)) }
    #expect(try listener.line().contains(#""seq":401,"value":-1}"#))
    if let sender { #expect(try sender.line().contains(#""id":1,"signal":"g.a","seq":400"#)) }
  }

  @Test func `a list of values stays charged to its user, though all clients of that user are gone`() throws {
    let relay = try Relay(
      "g: {signals: {a: {input: {}, hold: true}, s: {from: a, pipe: [{map: '[range(300)] | sort_by(-.)'}]}}}")
    let count = 2000
    do {
      let (sender, observer) = (try relay.daemon.connect(), try relay.daemon.connect())
      let values = (1...count).map(String.init).joined(separator: ",")
      try sender.say(#"{"op":"send","signal":"g.a","values":[\#(values)]}"#)
      try relay.daemon.iteration { try observer.ask("get g.a").contains(#""seq":"#) }
    }
    try relay.replace()
    let watcher = try relay.daemon.connect()
    let charged = try MemoryUse(watcher)
    #expect(charged.ofUser == charged.ofAll && charged.ofUser >= count * 64)
    try relay.daemon.iteration { try watcher.ask("get g.a").contains(#""seq":\#(count),"#) }
    let released = try MemoryUse(watcher)
    #expect(released.ofUser == released.ofAll && released.ofUser < count * 64)
  }

  @Test func `a line of a file comes once, whenever it was written`() throws {
    let folder = TemporaryFolder()
    let file = folder("log")
    try "".write(toFile: file, atomically: false, encoding: .utf8)
    let relay = try Relay("g: {signals: {lines: {tail: {path: \(file), from: start}}}}")
    let client = try relay.daemon.connect()
    try client.say("subscribe g.lines")
    _ = try client.line()
    let log = try #require(FileHandle(forWritingAtPath: file))
    var expected: [String] = []
    for number in 1...40 {
      try log.write(contentsOf: Data("line \(number)\n".utf8))
      expected.append(#"{"event":"next","signal":"g.lines","seq":\#(number),"value":"line \#(number)"}"#)
      if number.isMultiple(of: 10) { try relay.replace() }
    }
    #expect(try client.lines(40) == expected)
  }

  @Test func `graphs that are durable and those that are not keep receiving from each other`() throws {
    let state = TemporaryFolder()
    let relay = try Relay(
      """
      plain:
        signals:
          in: {input: {}}
          sum: {from: in, lazy: true, pipe: [{scan: {initial: 0, next: $state + .}}], replay: 3}
          back: {from: kept.sums, pipe: [{scan: {initial: 0, next: $state + 1}}]}
      kept:
        durable: true
        signals:
          mark: {input: {}}
          sums: {from: plain.sum, pipe: [{scan: {initial: 0, next: $state + .}}]}
          quiet: {from: plain.back, lazy: true, pipe: [{scan: {initial: 0, next: $state + .}}]}
      """, server: "{state: \(state.path)}")
    let client = try relay.daemon.connect()
    try client.say("subscribe kept.sums", "subscribe plain.back", "subscribe kept.quiet")
    _ = try client.lines(3)
    // Events from other graphs are settled once the durable graphs' beginning is on disk, which this answer implies.
    #expect(try client.ask(#"{"op":"send","id":1,"signal":"kept.mark","value":0}"#).contains(#""seq":1"#))
    var (sum, sums, quiet) = (0, 0, 0)
    for number in 1...12 {
      try client.say(#"{"op":"send","signal":"plain.in","value":\#(number)}"#)
      (sum, sums, quiet) = (sum + number, sums + sum + number, quiet + number)
      let told = try client.lines(3)
      #expect(
        told == [
          #"{"event":"next","signal":"kept.sums","seq":\#(number),"value":\#(sums)}"#,
          #"{"event":"next","signal":"plain.back","seq":\#(number),"value":\#(number)}"#,
          #"{"event":"next","signal":"kept.quiet","seq":\#(number),"value":\#(quiet)}"#,
        ])
      if number.isMultiple(of: 3) { try relay.replace() }
    }
  }

  @Test func `a client that a rate has paused resumes when it may`() throws {
    let relay = try Relay("g: {signals: {in: {input: {}}}}", server: "{limits: {client: {sends: 20}}}")
    let client = try relay.daemon.connect()
    try client.say("subscribe g.in")
    _ = try client.line()
    try client.send(1..<41, to: "g.in")
    _ = try client.lines(10)
    try relay.replace()
    #expect(try client.lines(30).last == #"{"event":"next","signal":"g.in","seq":40,"value":40}"#)
  }

  @Test(arguments: ["", ", hold: true"]) func `heartbeats, paced values and unfinished lines keep their times`(
    traits: String
  ) throws {
    let relay = try Relay("g: {signals: {in: {input: {}\(traits)}}}", server: "{limits: {unfinished: 1s}}")
    let client = try relay.daemon.connect()
    try client.say(
      #"{"op":"subscribe","signal":"g.in","heartbeat":"300ms"}"#,
      #"{"op":"subscribe","signal":"g.in","subscription":"p","every":"400ms"}"#)
    _ = try client.lines(2)
    let slow = try relay.daemon.connect()
    try slow.write("{\"op\":")
    try client.say("send g.in 1", "send g.in 2")
    // The first value of an interval passes at once, the newest of the others waits for its end.
    #expect(
      try client.lines(3) == [
        #"{"event":"next","signal":"g.in","seq":1,"value":1}"#,
        #"{"event":"next","subscription":"p","signal":"g.in","seq":1,"value":1}"#,
        #"{"event":"next","signal":"g.in","seq":2,"value":2}"#,
      ])
    try relay.replace()
    var rest = Set(try client.lines(2))
    while rest.count < 2 { rest.insert(try client.line()) }
    #expect(
      rest == [
        #"{"event":"alive","signal":"g.in","seq":2}"#,
        #"{"event":"next","subscription":"p","signal":"g.in","seq":2,"value":2}"#,
      ])
    // The next interval ends long before the third, and nothing is duplicated.
    #expect(try client.lines(3) == Array(repeating: #"{"event":"alive","signal":"g.in","seq":2}"#, count: 3))
    try slow.expectEnd()
  }

  @Test func `descriptors are as many as before`() throws {
    let relay = try Relay("g: {signals: {in: {input: {}}, tick: {interval: 10ms}}}")
    let clients = try (0..<20).map { _ in try relay.daemon.connect() }
    for client in clients { #expect(try client.ask("ping") == #"{"reply":"ping"}"#) }
    try relay.replace()
    let before = relay.process.openDescriptors
    for _ in 0..<8 { try relay.replace() }
    for client in clients { #expect(try client.ask("ping") == #"{"reply":"ping"}"#) }
    // The descriptors of the called program may not have been released yet.
    try relay.daemon.iteration { relay.process.openDescriptors <= before }
  }

  @Test func `an end that comes meanwhile is an end`() throws {
    let relay = try Relay("g: {signals: {in: {input: {}}}}")
    let client = try relay.daemon.connect()
    try client.say("subscribe g.in")
    _ = try client.line()
    relay.process.signal(SIGUSR2)
    relay.process.signal(SIGTERM)
    #expect(try client.line() == #"{"event":"interrupted","signal":"g.in","reason":"shutting_down"}"#)
    try client.expectEnd()
    #expect(try relay.process.waitForExit() == 0)
  }

  @Test func `an upgrade puts another file into the place of the program's`() throws {
    let folder = TemporaryFolder()
    let program = folder("signalboxd")
    // Written by another process: in this one, a child being started concurrently could hold the file open for writing.
    func install() throws {
      let copy = try ChildProcess([], shell: "cp \(ChildProcess.path) \(program).new && mv \(program).new \(program)")
      #expect(try copy.waitForExit() == 0)
    }
    try install()
    let path = try folder.writeConfiguration("g: {signals: {in: {input: {}}}}")
    let process = try ChildProcess(
      ["--config", path, "--socket", folder("s")], shell: "exec \(program) \"$@\"")
    try process.waitForOutput(containing: "ready")
    for number in 1...2 {
      try install()
      process.signal(SIGUSR2)
      try process.waitForOutput(containing: "resumed the state", times: number)
      let running = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process.identifier)/exe")
      #expect(running == program)
    }
  }

  @Test func `another socket is listened on, and clients of the old one continue`() throws {
    let folder = TemporaryFolder()
    func write(_ socket: String, _ mode: String) throws -> String {
      try folder.writeConfiguration(
        "g: {signals: {in: {input: {}}}}", server: "{socket: {path: \(folder(socket)), mode: \"\(mode)\"}}")
    }
    func mode(_ socket: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: folder(socket))[.posixPermissions] as? Int
    }
    let process = try ChildProcess(["--config", write("one", "0600")])
    try process.waitForOutput(containing: "ready")
    let client = try UnixSocket.connect(path: folder("one"))
    var handovers = 0
    func replace() throws {
      handovers += 1
      process.signal(SIGUSR2)
      try process.waitForOutput(containing: "\"ready", times: handovers + 1)
    }
    _ = try write("one", "0660")
    try replace()
    #expect(try mode("one") == 0o660)
    _ = try write("two", "0600")
    try replace()
    #expect(try mode("two") == 0o600)
    #expect(!FileManager.default.fileExists(atPath: folder("one")))
    func answers(_ socket: borrowing OwnedDescriptor) throws -> Bool {
      try socket.transfer.writeAll("ping\n")
      return try socket.transfer.read(upTo: 100).map { String(decoding: $0, as: UTF8.self) } == "{\"reply\":\"ping\"}\n"
    }
    #expect(try answers(client))
    let other = try UnixSocket.connect(path: folder("two"))
    #expect(try answers(other))
  }

  @Test(arguments: [
    (change: "another directory", reloads: false), ("another directory", true),
    ("a directory that cannot be made", true),
    ("removed", false), ("replaced", false),
  ])
  func `nothing is handed over to another state than the one in use`(change: String, reloads: Bool) throws {
    let states = TemporaryFolder()
    let used = states("one")
    let graphs = "g: {durable: true, signals: {in: {input: {}, replay: 9}}}"
    let relay = try Relay(graphs, server: "{state: \(used)}")
    let client = try relay.daemon.connect()
    _ = try client.ask("subscribe g.in")
    try client.say("send g.in 1")
    try client.expect(#"{"event":"next","signal":"g.in","seq":1,"value":1}"#)
    switch change {
    case "removed": try FileManager.default.removeItem(atPath: used)
    case "replaced":
      try FileManager.default.copyItem(atPath: used, toPath: states("copy"))
      try FileManager.default.removeItem(atPath: used)
      try FileManager.default.moveItem(atPath: states("copy"), toPath: used)
    default:
      let other = change == "another directory" ? states("two") : "/proc/nope"
      _ = try relay.daemon.folder.writeConfiguration(graphs, server: "{state: \(other)}")
    }
    if reloads { #expect(try client.ask("reload").contains(#""needs_restart":["server.state"]"#)) }
    #expect(try client.ask("hello").contains(#""state":"\#(used)""#))
    relay.process.signal(SIGUSR2)
    try relay.process.waitForOutput(containing: "cannot hand over, continuing: ")
    #expect(try client.ask("ping") == #"{"reply":"ping"}"#)
    guard FileManager.default.fileExists(atPath: used), change != "replaced" else { return }
    try client.say("send g.in 2")
    try client.expect(#"{"event":"next","signal":"g.in","seq":2,"value":2}"#)
  }

  @Test func `a program that is not there any more leaves the old one at work`() throws {
    let relay = try Relay("g: {signals: {in: {input: {}}}}")
    let client = try relay.daemon.connect()
    try relay.daemon.folder.writeConfiguration("g: {signals: {in: {nothing: {}}}}")
    relay.process.signal(SIGUSR2)
    try relay.process.waitForOutput(containing: "handover rejected by the program on disk")
    #expect(try client.ask("ping") == #"{"reply":"ping"}"#)
    #expect(relay.process.output.contains("nothing"))
  }
}
