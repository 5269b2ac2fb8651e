import BusSupport
import Linux
import TestSupport
import Testing

@testable import Daemon

private let graphs = "home: {signals: {limit: {property: {initial: 25}, dbus: true}, other: {input: {}, hold: true}}}"

/// The lifecycle of signals, the bus and the name.
@Suite struct `The daemon's name on a bus` {
  @Test func `has the signals that a reload puts there, and not those that it takes away`() throws {
    let stage = try ServiceStage(graphs)
    try stage.awaitName()
    try stage.listen(at: "home/other")
    let verdict = try stage.reload(
      "home: {signals: {limit: {property: {initial: 25}}, other: {input: {}, hold: true, dbus: true}}}")
    #expect(verdict.contains(#""kept":["home.limit","home.other"]"#))
    #expect(try stage.get(at: "home/limit").error == "UnknownObject")
    #expect(try stage.send(.integer(3), to: "home/other").value != nil)
    try stage.wait { stage.numbers == [1] }
    _ = try stage.reload("home: {signals: {new: {property: {initial: 1}, dbus: true}}}")
    #expect(try stage.get(at: "home/other").error == "UnknownObject")
    #expect(try stage.get(at: "home/new").value == .integer(1))
  }

  @Test func `is there again when the bus is, and each is logged once`() throws {
    let stage = try ServiceStage(graphs)
    try stage.awaitName()
    stage.bus.kill()
    try stage.wait { stage.says("lost the connection") }
    let client = try stage.daemon.connect()
    try client.say("send home.limit 30")
    try client.expectNothing()
    try stage.bus.startAgain()
    try stage.connectAgain()
    try stage.wait { stage.says("reconnected to the") }
    try stage.wait { try stage.get(at: "home/limit").value == .integer(30) }
    try stage.listen(at: "home/limit")
    #expect(try stage.send(.integer(31), to: "home/limit").value != nil)
    try stage.wait { stage.numbers == [3] }
  }

  private static func send(_ count: Int, to client: TestClient) throws {
    let text = String(repeating: "x", count: 1000)
    for hundred in 0..<count / 100 {
      let values = (0..<100).map { "\"\(text) \(hundred * 100 + $0)\"" }.joined(separator: ",")
      try client.say(#"{"op":"send","signal":"home.limit","values":[\#(values)]}"#)
      try client.expectNothing()
    }
  }

  @Test func `has the newest value on a bus that has stood still`() throws {
    let stage = try ServiceStage("home: {signals: {limit: {property: {initial: \"\"}, dbus: true}}}")
    try stage.awaitName()
    stage.bus.halt()
    try Self.send(5_000, to: try stage.daemon.connect())
    stage.bus.proceed()
    try stage.wait {
      guard case .string(let text)? = try stage.get(at: "home/limit").value else { return false }
      return text.hasSuffix(" 4999")
    }
  }

  // In a process of its own, since other tests increase this one's memory.
  @Test(.disabled(if: BuiltProgram.isSanitized, "a sanitizer holds freed memory"))
  func `costs nothing but the newest values while the bus takes in nothing`() throws {
    let bus = try PrivateBus()
    let daemon = try HostKind.program.start(
      "home: {signals: {limit: {property: {initial: \"\"}, dbus: true}}}", server: "{dbus: {bus: \"\(bus.text)\"}}")
    let process = try #require(daemon.host as? ProgramHost).process
    try process.waitForOutput(containing: "owns \(ServiceStage.name)")
    bus.halt()
    let client = try daemon.connect()
    let before = try #require(process.residentBytes)
    try Self.send(50_000, to: client)
    // Those were 50 MB, and twice as much as messages.
    #expect(try #require(process.residentBytes) < before + 25 << 20)
    bus.proceed()
  }

  @Test func `is waited for while the bus accepts connections and sends nothing`() throws {
    let folder = TemporaryFolder()
    let silent = try UnixListener(path: folder("bus"), mode: 0o600)
    let daemon = try HostKind.inProcess.start(
      "home: {signals: {limit: {property: {initial: 0}, dbus: true}}}",
      server: "{dbus: {bus: \"unix:path=\(folder("bus"))\"}}")
    let client = try daemon.connect()
    for value in 1...1000 { try client.say("send home.limit \(value)") }
    #expect(try client.ask("get home.limit").contains(#""value":1000"#))
    silent.unlink()
  }

  @Test func `is acquired from another owner when it is free`() throws {
    let poller = try Poller()
    let loop = try EventLoop()
    let attachment = try poller.attach(to: loop)
    var other: TestService?
    let stage = try ServiceStage(graphs) { bus in
      let service = try TestService(on: bus.address, poller: poller)
      other = service
      while !service.connection.isReady { try loop.runIteration(timeout: .seconds(1)) }
      try service.own(ServiceStage.name)
      while service.owned.isEmpty { try loop.runIteration(timeout: .seconds(1)) }
    }
    try stage.wait { stage.says("is owned by") }
    other?.close()
    try stage.awaitName()
    #expect(try stage.get(at: "home/limit").value == .integer(25))
    _ = attachment
  }

  @Test func `is another one after a reload that changes it, and none after one that removes the bus`() throws {
    let stage = try ServiceStage(graphs)
    try stage.awaitName()
    try stage.daemon.folder.writeConfiguration(
      graphs, server: "{dbus: {bus: \"\(stage.bus.text)\", name: org.example.Box}}")
    #expect(try stage.daemon.connect().ask("reload").contains(#""needs_restart":[]"#))
    try stage.wait { stage.says("owns org.example.Box") }
    #expect(try stage.get(at: "home/limit").error == "NameHasNoOwner")
    try stage.daemon.folder.writeConfiguration(graphs)
    _ = try stage.daemon.connect().ask("reload")
    let client = try stage.daemon.connect()
    #expect(try client.ask("get home.limit").contains(#""value":25"#))
  }

  @Test func `is for durable graphs too, whose values are emitted once they are committed`() throws {
    let folder = try PrivateBus().folder
    let stage = try ServiceStage(
      "g: {durable: true, signals: {in: {input: {}, dbus: true}, sum: {from: in, pipe: [{scan: {initial: 0, next: $state + .}}], hold: true, dbus: true}}}",
      server: ", state: \(folder("state"))")
    try stage.awaitName()
    try stage.listen(at: "g/sum")
    for number in 1...3 { #expect(try stage.send(.integer(Int64(number)), to: "g/in").value != nil) }
    try stage.wait { stage.numbers == [1, 2, 3] }
    #expect(try stage.get(at: "g/sum").value == .integer(6))
  }

  @Test func `holds senders to the rates of their user, and emits all values in the end`() throws {
    let stage = try ServiceStage(graphs, server: ", limits: {user: {sends: 20}}")
    try stage.awaitName()
    try stage.listen(at: "home/limit")
    var answers = 0
    for number in 1...40 {
      try stage.begin("Send", at: "home/limit", [(.variant, .integer(Int64(number)))]) { answer in
        if answer.value != nil { answers += 1 }
      }
    }
    try stage.wait { answers > 0 }
    #expect(answers < 40)
    try stage.wait { answers == 40 }
    try stage.wait { stage.numbers.last == 41 }
  }
}
