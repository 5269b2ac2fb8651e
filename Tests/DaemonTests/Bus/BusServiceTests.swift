import BusSupport
import Glibc
import JSON
import Linux
import Testing
import World

@testable import Daemon

private let graphs = """
  home:
    signals:
      in-door: {input: {type: number}, dbus: true}
      limit: {property: {initial: 25}, dbus: true}
      twice: {from: in-door, pipe: [{map: . * 2}], hold: true, dbus: true}
      last: {input: {endable: true}, hold: true, dbus: true}
      hidden: {input: {}}
  """

@Suite struct `Signals on a bus` {
  @Test func `are read and sent to under paths that D-Bus allows`() throws {
    let stage = try ServiceStage(graphs)
    try stage.awaitName()
    #expect(try stage.get(at: "home/limit").value == .integer(25))
    #expect(try stage.send(.double(2.5), to: "home/in_2ddoor").value != nil)
    #expect(try stage.get(at: "home/twice").value == .integer(5))
    #expect(try stage.get(at: "home/in_2ddoor").value == .double(2.5))
    #expect(try stage.get("Sequence", at: "home/twice").value == .integer(1))
    #expect(try stage.send(.integer(1), to: "home/hidden").error == "UnknownObject")
  }

  @Test func `are set as properties`() throws {
    let stage = try ServiceStage(graphs)
    try stage.awaitName()
    func set(_ property: String, _ path: String) throws -> Result<BusValue, BusError> {
      try stage.call(
        "Set", of: "org.freedesktop.DBus.Properties", at: path,
        [(.string, .string(ServiceStage.interface)), (.string, .string(property)), (.variant, .integer(30))])
    }
    #expect(try set("Value", "home/limit").value != nil)
    #expect(try stage.get(at: "home/limit").value == .integer(30))
    #expect(try set("Sequence", "home/limit").error == "PropertyReadOnly")
    #expect(try set("Value", "home/twice").error == "NotAnInput")
  }

  @Test(arguments: [
    ("home.a", "/org/signalbox/home/a"), ("home.a_b", "/org/signalbox/home/a_b"),
    ("a-b.c-", "/org/signalbox/a_2db/c_2d"),
    ("home.a_2db", "/org/signalbox/home/a_5f2db"), ("home.a_5f", "/org/signalbox/home/a_5f5f"),
    ("home._-2d", "/org/signalbox/home/__2d2d"), ("home.fan.values", "/org/signalbox/home/fan/values"),
  ])
  func `have paths of their own`(name: String, path: String) {
    #expect(ObjectPath.path(of: name) == path)
    #expect(BusName.isPath(path))
  }

  @Test func `are emitted as values of D-Bus`() throws {
    let stage = try ServiceStage(graphs)
    let client = try stage.daemon.connect()
    try stage.awaitName()
    for (text, value) in [
      ("null", BusValue.string("")), ("1.5", .double(1.5)), ("18446744073709551615", .unsigned(.max)),
      ("-7", .integer(-7)), ("[]", .list([])), (#""a\u0000b""#, .string("a\u{FFFD}b")),
      (
        #"{"a":[1,null,"x"],"b":true}"#,
        .dictionary([
          .init(key: "a", value: .list([.integer(1), .string(""), .string("x")])), .init(key: "b", value: .bool(true)),
        ])
      ),
    ] {
      try client.say("send home.last \(text)")
      try client.expectNothing()
      #expect(try stage.get(at: "home/last").value == value, "\(text)")
    }
  }

  @Test func `take the empty signature for null, and refuse what they do not take`() throws {
    let stage = try ServiceStage(graphs)
    let client = try stage.daemon.connect()
    try stage.awaitName()
    #expect(try stage.send(.variant(.signature, .string("")), to: "home/last").value != nil)
    #expect(try client.ask("get home.last") == #"{"reply":"get","signal":"home.last","seq":1,"value":null}"#)
    #expect(try stage.send(.string("warm"), to: "home/in_2ddoor").error == "BadValue")
    #expect(try stage.send(.double(.infinity), to: "home/last").error == "BadValue")
    #expect(try stage.send(.integer(1), to: "home/twice").error == "NotAnInput")
    #expect(try stage.get(at: "home/in_2ddoor").error == "NoValue")
    #expect(try stage.get("Colour", at: "home/limit").error == "UnknownProperty")
    #expect(try stage.call("Frobnicate", at: "home/limit").error == "UnknownMethod")
  }

  @Test func `describe themselves`() throws {
    let stage = try ServiceStage(graphs)
    try stage.awaitName()
    func description(_ path: String) throws -> String {
      guard
        case .string(let text)? = try stage.call(
          "Introspect", of: "org.freedesktop.DBus.Introspectable", at: path
        ).value
      else { return "" }
      return text
    }
    let home = try description("home")
    for name in ["in_2ddoor", "limit", "twice", "last"] { #expect(home.contains("<node name=\"\(name)\"/>")) }
    #expect(!home.contains("hidden"))
    #expect(try description("home/limit").contains(#"name="Value" type="v" access="readwrite""#))
    #expect(try description("home/twice").contains(#"name="Value" type="v" access="read""#))
    #expect(try description("home/hidden") == "")
  }

  @Test func `announce each value, with its number`() throws {
    let stage = try ServiceStage(graphs)
    try stage.awaitName()
    try stage.listen(at: "home/twice")
    for number in 1...3 { #expect(try stage.send(.double(Double(number)), to: "home/in_2ddoor").value != nil) }
    try stage.wait { stage.numbers == [1, 2, 3] }
    #expect(
      stage.heard.map(\.member) == [
        "PropertiesChanged", "Next", "PropertiesChanged", "Next", "PropertiesChanged", "Next",
      ])
    #expect(
      stage.heard[0].values == [
        .string(ServiceStage.interface),
        .dictionary([.init(key: "Value", value: .integer(2)), .init(key: "Sequence", value: .integer(1))]), .list([]),
      ])
    #expect(stage.heard[1].values == [.integer(2), .integer(1)])
  }

  @Test func `announce a value that D-Bus cannot represent as one that has to be read`() throws {
    let stage = try ServiceStage(graphs)
    let client = try stage.daemon.connect()
    try stage.awaitName()
    try stage.listen(at: "home/last")
    try client.say("send home.last " + String(repeating: "[", count: 100) + String(repeating: "]", count: 100))
    try stage.wait { stage.heard.count == 1 }
    #expect(stage.heard[0].values.last == .list([.string("Value")]))
    #expect(try stage.get(at: "home/last").error == "BadValue")
  }

  @Test func `emit the latest of a flood, and the daemon counts the others`() throws {
    let stage = try ServiceStage(graphs)
    let client = try stage.daemon.connect()
    try stage.awaitName()
    try stage.listen(at: "home/last")
    let text = String(repeating: "x", count: 200)
    stage.bus.halt()
    try client.send(1..<20_001, to: "home.last") { "\"\(text)\($0)\"" }
    #expect(try client.ask("get home.last").contains("\"seq\":20000"))
    stage.bus.proceed()
    try stage.wait { stage.numbers.last == 20_000 }
    #expect(stage.numbers.count < 20_000)
    #expect(stage.numbers == stage.numbers.sorted())
    let lost = 20_000 - stage.numbers.count
    #expect(try client.ask("stats").contains("\"lost\":\(lost)"))
  }

  @Test func `announce how they have ended, and that they have restarted`() throws {
    let stage = try ServiceStage(graphs)
    let client = try stage.daemon.connect()
    try stage.awaitName()
    try stage.listen(at: "home/last")
    try client.say("send home.last 7", #"{"op":"send","signal":"home.last","event":"completed"}"#)
    try stage.wait { stage.heard.count == 3 }
    func said(_ word: String) -> [BusValue] {
      [.string(ServiceStage.interface), .dictionary([.init(key: "Ended", value: .string(word))]), .list([])]
    }
    #expect(stage.heard[2].values == said("completed"))
    #expect(try stage.get(at: "home/last").value == .integer(7))
    #expect(try stage.send(.integer(8), to: "home/last").error == "Ended")
    _ = try client.ask("restart home.last")
    try stage.wait { stage.heard.count == 4 }
    #expect(stage.heard[3].values == said(""))
    #expect(try stage.send(.integer(8), to: "home/last").value != nil)
    try stage.wait { stage.numbers == [1, 2] }
  }
}
