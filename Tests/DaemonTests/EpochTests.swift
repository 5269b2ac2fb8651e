import GraphModel
import Testing

@testable import Daemon

/// The epochs of numbers that end with the daemon, and of those that persist.
struct EpochTests {
  private static let graphs = """
    g: {signals: {a: {property: {initial: 1}}}}
    kept:
      durable: true
      signals:
        a: {input: {}, replay: 2}
        b: {from: a, cold: true}
    """

  /// Starts a daemon with an epoch in its folder of durable graphs, and a client.
  private func start() throws -> (daemon: TestDaemon, client: TestClient, process: String) {
    let daemon = try HostKind.inProcess.start(Self.graphs)
    let host = try #require(daemon.host as? LoopHost)
    host.daemon.hub.epochs.homes[.folder] = "folder"
    return (daemon, try daemon.connect(), host.daemon.hub.epochs.process)
  }

  @Test(arguments: HostKind.allCases)
  func `a subscription to a name has the epoch of hello where the signal is not durable`(kind: HostKind) throws {
    let client = try kind.start("g: {signals: {a: {input: {}}}}").connect()
    let hello = try client.ask("hello")
    #expect(try client.ask("subscribe g.a") == #"{"reply":"subscribe","signals":[{"signal":"g.a","seq":0}]}"#)
    let epoch = try #require(client.epoch)
    #expect(epoch.utf8.count == 16)
    #expect(hello.contains(#""epoch":"\#(epoch)""#))
  }

  @Test func `the numbers of a durable signal belong to the folder, those of a cold one in its graph do not`() throws {
    let (_, client, process) = try start()
    for (name, epoch) in [("kept.a", "folder"), ("kept.b", process), ("g.a", process)] {
      try client.say(#"{"op":"subscribe","signal":"\#(name)","replay":0}"#)
      _ = try client.line()
      #expect(client.epoch == epoch, "\(name)")
    }
    #expect(try client.ask("hello").contains(#""epoch":"\#(process)""#))
  }

  @Test func `the reply to a pattern has the epochs that hello does not have`() throws {
    let (_, client, _) = try start()
    #expect(
      try client.ask(#"{"op":"subscribe","signal":"*.a","replay":0}"#)
        == #"{"reply":"subscribe","signals":[{"signal":"g.a","seq":1},{"signal":"kept.a","seq":0,"epoch":"folder"}]}"#)
    #expect(client.epoch == nil)
  }

  @Test func `a durable signal resumes in the epoch of the folder, and in no other`() throws {
    let (_, client, process) = try start()
    try client.say(#"{"op":"send","signal":"kept.a","values":[1,2,3]}"#)
    func from(_ epoch: String) -> String { #"{"op":"subscribe","signal":"kept.a","from":2,"epoch":"\#(epoch)"}"# }
    #expect(
      try client.ask(from(process)) == #"{"reply":"error","op":"subscribe","error":{"code":"expired","#
        + #""message":"the epoch has changed: sequence numbers were restarted","oldest":2,"epoch":"folder"}}"#)
    try client.say(from("folder"))
    try client.expect(
      #"{"reply":"subscribe","signals":[{"signal":"kept.a","seq":3}]}"#,
      #"{"event":"next","signal":"kept.a","seq":3,"value":3}"#)
  }

  @Test func `a pattern receives renewed for a durable signal, with the epoch of the folder`() throws {
    let (_, client, process) = try start()
    try client.say(
      "send kept.a 1",
      #"{"op":"subscribe","signal":"kept.*","from":{"kept.a":{"seq":1,"epoch":"\#(process)"}}}"#)
    try client.expect(
      #"{"reply":"subscribe","signals":[{"signal":"kept.a","seq":1,"epoch":"folder"}]}"#,
      #"{"event":"renewed","signal":"kept.a","epoch":"folder"}"#,
      #"{"event":"next","signal":"kept.a","seq":1,"value":1}"#)
  }

  @Test func `a pattern that comes to match a durable signal receives its epoch`() throws {
    let (daemon, client, _) = try start()
    #expect(try client.ask("subscribe kept.new").contains("unknown_signal"))
    try client.say(#"{"op":"subscribe","signal":"kept.*"}"#)
    _ = try client.line()
    try daemon.folder.writeConfiguration(Self.graphs + "\n    new: {input: {}}")
    #expect(try client.ask("reload") == #"{"event":"subscribed","signal":"kept.new","seq":0,"epoch":"folder"}"#)
  }

  @Test(arguments: HostKind.allCases)
  func `a message_id is refused where nothing would remember it, and nothing is sent`(kind: HostKind) throws {
    let client = try kind.start("g: {signals: {a: {property: {initial: 1}}}}").connect()
    #expect(
      try client.ask(#"{"op":"send","signal":"g.a","value":2,"message_id":"m"}"#)
        == #"{"reply":"error","op":"send","error":{"code":"bad_request","message":"\"message_id\" is for signals of "#
        + #"durable graphs; graph \"g\" lacks durable: true"}}"#)
    #expect(try client.ask("get g.a") == #"{"reply":"get","signal":"g.a","seq":1,"value":1}"#)
  }
}
