import BusSupport
import GraphModel
import JSON
import Linux
import Signals
import Testing

@testable import Daemon
@testable import World

@Suite struct `Calls of methods on a bus` {
  private struct Echo {
    let stage: BusStage
    let service: TestService

    init() throws {
      stage = try BusStage()
      service = try stage.service(properties: ["Level": .init(.byte, .integer(1))])
      service.meddle = { [unowned service] call in
        guard call.member == "Echo" else { return false }
        let types = try #require(BusType.types(of: call.signature))
        try service.reply(to: call, Array(zip(types, try call.values())))
        return true
      }
    }
  }

  @Test func `bring values there and back with all their digits`() throws {
    let echo = try Echo()
    let text = #"[9223372036854775807,18446744073709551615,-9223372036854775808,"/a/b","a{sv}",true,255,-0.5]"#
    let arguments = try JSONParser.value(onThisThread: [UInt8](text.utf8).span)
    guard case .array(let list) = arguments else { return }
    let answer = try echo.stage.call("Echo", "xtxogbyd", list)
    #expect(answer.values.map { JSONValue.array($0).description } == text)
  }

  @Test(arguments: [
    ("as", #"[["a","b"]]"#), ("ay", "[[1,2,255]]"),
    ("a{sv}", #"[{"a":1,"b":"x","c":[1,2],"d":{"e":1.5},"f":[1,"x"]}]"#),
    ("a{ib}", #"[{"-1":true,"7":false}]"#), ("(sii)a(uu)", #"[["x",1,2],[[1,2],[3,4]]]"#), ("v", "[5000000000]"),
    ("aav", "[[[1],[],[true]]]"), ("av", "[[]]"), ("", "[]"),
  ])
  func `bring nested values there and back`(signature: String, text: String) throws {
    let echo = try Echo()
    guard case .array(let list) = try JSONParser.value(onThisThread: [UInt8](text.utf8).span) else { return }
    let answer = try echo.stage.call("Echo", signature, list)
    #expect(answer.values.map { JSONValue.array($0).description } == text)
  }

  @Test(arguments: [
    ("i", "[1.5]", "argument 1 is 1.5, where an integer from -2147483648 to 2147483647 (i) is expected"),
    ("sy", #"["a",256]"#, "argument 2 is 256, where an integer from 0 to 255 (y) is expected"),
    ("a{s(ib)}", #"[{"x":[1,0]}]"#, #"argument 1["x"][1] is 0, where true or false (b) is expected"#),
    ("av", "[[1,null]]", "argument 1[1] is null, where a value that D-Bus has (it has no null) is expected"),
    ("o", #"["no path"]"#, #"argument 1 is "no path", where a path of an object (o) is expected"#),
    ("h", "[1]", "argument 1 is 1, where a file descriptor (h), which a value cannot be, is expected"),
    ("s", "[]", "0 arguments are given, where 1 (s) are expected"), ("z", "[1]", "invalid D-Bus signature “z”"),
    ("a{bs}", #"[{"yes":"x"}]"#, #"argument 1 is "yes", where a key that is true or false (b) is expected"#),
    ("s", #"["\u0000"]"#, #"argument 1 is "\u0000", where a string (s) is expected"#),
  ])
  func `are refused where an argument does not fit`(signature: String, text: String, message: String) throws {
    let echo = try Echo()
    guard case .array(let list) = try JSONParser.value(onThisThread: [UInt8](text.utf8).span) else { return }
    let failure = try echo.stage.call("Echo", signature, list).failure
    #expect(failure == SignalFailure(code: "bad_value", message: message))
  }

  @Test func `fail with the error of the service, or with gone where there is none`() throws {
    let echo = try Echo()
    let failure = try echo.stage.call("Missing").failure
    #expect(failure?.code == "bus")
    #expect(failure?.message == "there is no Missing (org.freedesktop.DBus.Error.UnknownMethod)")
    #expect(try echo.stage.call("Echo", of: "org.example.Nobody").failure?.code == "gone")
  }

  @Test func `that are nested too deep or too large are not sent`() throws {
    let echo = try Echo()
    var deep = JSONValue.number(1)
    for _ in 0..<40 { deep = .array([deep]) }
    #expect(try echo.stage.call("Echo", "v", [deep]).failure?.code == "bad_value")
    let large = JSONValue.string(String(repeating: "x", count: 2 << 20))
    #expect(try echo.stage.call("Echo", "s", [large]).failure?.code == "bad_value")
    #expect(try echo.stage.call("Echo", "s", ["well"]).values == ["well"])
  }

  @Test func `are bounded in number at the bus, and all are answered`() throws {
    let echo = try Echo()
    let method = BusMethod(
      of: echo.stage.object(), interface: TestService.interface, member: "Echo", signature: "i", owner: "test.call")
    var answers: [JSONValue] = []
    let calls = (0..<500).map { number in
      echo.stage.buses.call(method, with: [.number(Double(number))]) { answers += $0.values ?? [] }
    }
    try echo.stage.wait(until: answers.count == 500)
    #expect(answers == (0..<500).map { .number(Double($0)) })
    withExtendedLifetime(calls) {}
  }

  @Test func `are made even if their answer is disposed of`() throws {
    let echo = try Echo()
    let method = BusMethod(
      of: echo.stage.object(), interface: TestService.interface, member: "Echo", signature: "", owner: "test.call")
    echo.stage.buses.call(method, with: []) { _ in Issue.record("it was answered") }.dispose()
    try echo.stage.wait(until: echo.service.calls["Echo"] == 1)
    try echo.stage.wait(until: echo.stage.buses.connectionCount == 0)
  }

  @Test func `set a property as the type that it has`() throws {
    let echo = try Echo()
    let watched = echo.stage.watch(["Level"])
    try echo.stage.wait(until: watched.values["Level"] == 1)
    #expect(try echo.stage.set("Level", to: 200).values == [])
    try echo.stage.wait(until: watched.values["Level"] == 200)
    #expect(
      try echo.stage.set("Level", to: 256).failure?.message
        == "Level is 256, where an integer from 0 to 255 (y) is expected")
    #expect(try echo.stage.set("Missing", to: 1).failure?.code == "bus")
  }

  @Test func `set a property that cannot be read, as the type that the object declares`() throws {
    let echo = try Echo()
    echo.service.properties["Secret"] = .init(.uint16, .integer(1), access: "write")
    #expect(try echo.stage.set("Secret", to: 500).values == [])
    #expect(echo.service.properties["Secret"]?.value == .integer(500))
    #expect(
      try echo.stage.set("Secret", to: -1).failure?.message
        == "Secret is -1, where an integer from 0 to 65535 (q) is expected")
  }

  @Test func `set a property as the type that is given, and ask nothing`() throws {
    let echo = try Echo()
    #expect(try echo.stage.set("Level", as: "y", to: 7).values == [])
    #expect(echo.service.properties["Level"]?.value == .integer(7))
    #expect(echo.service.calls["Get"] == nil && echo.service.calls["Introspect"] == nil)
    #expect(
      try echo.stage.set("Level", as: "b", to: 7).failure?.message == "Level is 7, where true or false (b) is expected")
  }

  @Test(arguments: [
    ("UnknownMethod", "the object has no introspection data (not that (org.freedesktop.DBus.Error.UnknownMethod))"),
    (nil, "no such property in the introspection data"),
  ])
  func `report what to do where the type of a property is unknown`(refusal: String?, reason: String) throws {
    let echo = try Echo()
    echo.service.meddle = { [unowned service = echo.service] call in
      guard let refusal, call.member == "Introspect" else { return false }
      try service.refuse(call, refusal, "not that")
      return true
    }
    let failure = try echo.stage.set("Missing", to: 1).failure
    #expect(failure?.code == "bus")
    #expect(
      failure?.message == "cannot set Missing, its type is unknown: "
        + "there is no Missing (org.freedesktop.DBus.Error.UnknownProperty); \(reason): set its type with “signature”")
  }

  @Test func `have bytes as text where that is asked for`() throws {
    let echo = try Echo()
    #expect(try echo.stage.call("Echo", "ay", ["grün"], bytes: .text).values == ["grün"])
    #expect(try echo.stage.call("Echo", "ay", [[0x66, 0x6f, 0]], bytes: .text).values == ["fo"])
    #expect(try echo.stage.call("Echo", "ay", [[0xff]], bytes: .text).failure?.code == "bad_value")
  }
}
