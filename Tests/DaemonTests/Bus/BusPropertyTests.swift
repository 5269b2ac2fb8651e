import BusSupport
import GraphModel
import JSON
import Linux
import Signals
import Testing

@testable import Daemon
@testable import World

@Suite struct `Properties of a service on a bus` {
  private static let two: [String: TestService.Property] = [
    "Level": .init(.double, .double(0.5)), "Name": .init(.string, .string("lamp")),
  ]

  @Test func `are delivered together at first, and then those that change`() throws {
    let stage = try BusStage()
    let service = try stage.service(properties: Self.two)
    let watched = stage.watch(["Level", "Name"])
    try stage.wait(until: !watched.events.isEmpty)
    try service.change("Level", to: .double(0.75))
    try stage.wait(until: watched.events.count == 2)
    #expect(
      watched.events == [.properties(["Level": 0.5, "Name": "lamp"]), .properties(["Level": 0.75])])
    #expect(service.calls["GetAll"] == 1)
  }

  @Test func `that change in one message make one event, and an equal value is delivered again`() throws {
    let stage = try BusStage()
    let service = try stage.service(properties: Self.two)
    let watched = stage.watch(["Level", "Name"])
    try stage.wait(until: !watched.events.isEmpty)
    try service.announce(["Level", "Name"])
    try stage.wait(until: watched.events.count == 2)
    #expect(watched.events[0] == watched.events[1])
  }

  @Test func `that are read again are delivered if they differ in their bytes alone`() throws {
    let stage = try BusStage()
    let (composed, decomposed) = ("\u{e9}", "e\u{301}")
    let service = try stage.service(properties: ["Name": .init(.string, .string(composed))])
    let watched = stage.watch(["Name"], every: .milliseconds(10))
    try stage.wait(until: watched.values["Name"] == .string(composed))
    service.properties["Name"] = .init(.string, .string(decomposed))
    try stage.wait(until: watched.values["Name"] == .string(decomposed))
    #expect(watched.events.count == 2)
  }

  @Test func `are gone with their owner, and read again from the next one`() throws {
    let stage = try BusStage()
    let watched = stage.watch(["Level"])
    try stage.wait(until: !watched.events.isEmpty)
    var service = try stage.service(properties: Self.two)
    try stage.wait(until: watched.values["Level"] == 0.5)
    service.close()
    try stage.wait(until: watched.isGone)
    service = try stage.service(properties: ["Level": .init(.double, .double(2))])
    try stage.wait(until: watched.values["Level"] == 2)
    #expect(watched.events == [.gone, .properties(["Level": 0.5]), .gone, .properties(["Level": 2])])
  }

  @Test func `are accepted from their owner alone`() throws {
    let stage = try BusStage()
    let service = try stage.service(properties: Self.two)
    let other = try stage.service("org.example.Other", properties: ["Level": .init(.double, .double(9))])
    let watched = stage.watch(["Level"])
    let another = stage.watch(["Level"], of: "org.example.Other")
    try stage.wait(until: !watched.events.isEmpty && !another.events.isEmpty)
    try other.change("Level", to: .double(10))
    try stage.wait(until: another.values["Level"] == 10)
    try service.change("Level", to: .double(1))
    try stage.wait(until: watched.values["Level"] == 1)
    #expect(watched.events == [.properties(["Level": 0.5]), .properties(["Level": 1])])
  }

  @Test func `are read where an announcement leaves the value out`() throws {
    let stage = try BusStage()
    let service = try stage.service(properties: Self.two)
    let watched = stage.watch(["Level", "Name"])
    try stage.wait(until: !watched.events.isEmpty)
    try service.change("Name", to: .string("sun"), announced: "invalidates")
    try stage.wait(until: watched.events.count == 2)
    #expect(watched.events[1] == .properties(["Name": "sun"]))
  }

  @Test func `that change in one message make one event, where it leaves the value of one out`() throws {
    let stage = try BusStage()
    let service = try stage.service(properties: Self.two)
    let watched = stage.watch(["Level", "Name"])
    try stage.wait(until: !watched.events.isEmpty)
    service.properties["Level"]?.value = .double(2)
    service.properties["Name"]?.value = .string("sun")
    try service.announce(["Level"], invalidated: ["Name"])
    try stage.wait(until: watched.events.count > 1)
    try stage.awaitCalm()
    #expect(watched.events.dropFirst() == [.properties(["Level": 2, "Name": "sun"])])
  }

  @Test func `that are known are delivered where the rest cannot be read yet`() throws {
    let stage = try BusStage()
    let service = try stage.service(properties: Self.two)
    let watched = stage.watch(["Level", "Name"])
    try stage.wait(until: !watched.events.isEmpty)
    service.meddle = { call in
      guard call.member == "GetAll" else { return false }
      try? service.refuse(call, "NoReply", "busy")
      return true
    }
    service.properties["Level"]?.value = .double(2)
    try service.announce(["Level"], invalidated: ["Name"])
    try stage.wait(until: watched.values["Level"] == 2)
    #expect(watched.values["Name"] == "lamp")
  }

  @Test func `that were announced while they were read are not overwritten by what is older`() throws {
    let stage = try BusStage()
    let service = try stage.service(properties: Self.two)
    var held: TestService.HeldCall?
    service.meddle = { call in
      guard call.member == "Get", held == nil else { return false }
      held = .init(call)
      return true
    }
    let watched = stage.watch(["Level"])
    try stage.wait(until: held != nil)
    try service.change("Level", to: .double(3))
    // The answer was computed before.
    try service.reply(to: try #require(held).message, [(.variant, .variant(.double, .double(0.5)))])
    try stage.wait(until: service.calls["Get"] == 2)
    try stage.awaitCalm()
    #expect(watched.events == [.properties(["Level": 3])])
  }

  @Test func `that do not exist are refused once, and the others are delivered`() throws {
    let stage = try BusStage()
    let service = try stage.service(properties: Self.two)
    let watched = stage.watch(["Level", "Missing"], every: .milliseconds(5))
    try stage.wait(until: (service.calls["GetAll"] ?? 0) >= 4)
    try stage.awaitCalm()
    #expect(watched.values == ["Level": 0.5])
    #expect(watched.refusals.map(\.code) == ["bad_value"])
    let single = stage.watch(["Missing"])
    try stage.wait(until: !single.events.isEmpty)
    #expect(single.refusals.map(\.code) == ["bus"])
  }

  @Test func `are read at intervals, and delivered where they differ`() throws {
    let stage = try BusStage()
    let service = try stage.service(properties: Self.two)
    let watched = stage.watch(["Level"], every: .milliseconds(5))
    try stage.wait(until: (service.calls["Get"] ?? 0) >= 4)
    try service.change("Level", to: .double(7), announced: "false")
    try stage.wait(until: watched.values["Level"] == 7)
    #expect(watched.events == [.properties(["Level": 0.5]), .properties(["Level": 7])])
  }

  @Test func `are never read twice at the same time`() throws {
    let stage = try BusStage()
    let service = try stage.service(properties: Self.two)
    var held: [TestService.HeldCall] = []
    service.meddle = { call in
      guard call.member == "Get" else { return false }
      held.append(.init(call))
      return true
    }
    let watched = stage.watch(["Level"], every: .milliseconds(1))
    let other = stage.watch(["Name"], every: .milliseconds(5))
    try stage.wait(until: held.count == 2)
    let begin = MonotonicInstant.now()
    while MonotonicInstant.now() - begin < .milliseconds(30) { try stage.loop.runIteration(timeout: .milliseconds(5)) }
    #expect(held.count == 2)
    service.meddle = { _ in false }
    for call in held { try service.reply(to: call.message) }
    try stage.wait(until: watched.values["Level"] == 0.5 && other.values["Name"] == "lamp")
  }

  @Test func `that make no value are refused, and the rest of the message is delivered`() throws {
    let stage = try BusStage()
    var properties = Self.two
    properties["Huge"] = .init(.string, .string("small"))
    let service = try stage.service(properties: properties)
    let watched = stage.watch(["Huge", "Level", "Name"])
    try stage.wait(until: !watched.events.isEmpty)
    service.properties["Huge"]?.value = .string(String(repeating: "x", count: 2 << 20))
    service.properties["Level"]?.value = .double(.nan)
    service.properties["Name"]?.value = .string("still told")
    try service.announce(["Huge", "Level", "Name"])
    try stage.wait(until: watched.values["Name"] == "still told")
    try service.emit(
      "PropertiesChanged", [(.string, .string(TestService.interface)), (.int32, .integer(1))],
      of: "org.freedesktop.DBus.Properties")
    try stage.awaitCalm()
    try stage.wait(until: watched.refusals.count >= 3)
    #expect(watched.refusals.allSatisfy { $0.code == "bad_value" })
    try service.change("Level", to: .double(1))
    try stage.wait(until: watched.values["Level"] == 1)
  }

  @Test func `that can only be set are not delivered, and refuse nothing`() throws {
    let stage = try BusStage()
    let service = try stage.service(properties: ["Secret": .init(.string, .string("x"), access: "write")])
    let watched = stage.watch(["Secret"])
    try stage.wait(until: service.calls["Introspect"] == 1)
    try stage.awaitCalm()
    #expect(watched.events.isEmpty && service.calls["Get"] == 1)
  }

  @Test func `that do not announce their changes are warned of once, unless they are read at intervals`() throws {
    let stage = try BusStage()
    let service = try stage.service(properties: [
      "Silent": .init(.int32, .integer(1), announcement: "false"),
      "Fixed": .init(.int32, .integer(1), announcement: "const"), "Told": .init(.int32, .integer(1)),
    ])
    let polled = stage.watch(["Silent"], every: .seconds(3600))
    try stage.wait(until: polled.values["Silent"] == 1)
    try stage.awaitCalm()
    #expect(stage.lines.count(of: "Silent") == 0)
    let watched = [stage.watch(["Silent", "Fixed"]), stage.watch(["Silent", "Told"])]
    try stage.wait(until: stage.lines.count(of: "“every”") > 0)
    try stage.wait(until: watched.allSatisfy { $0.values["Silent"] == 1 })
    try stage.awaitCalm()
    #expect(stage.lines.count(of: "“every”") == 1)
    #expect(service.calls["Introspect"] == 1)
  }

  @Test func `emit nothing without watches, and what was installed at the bus is removed`() throws {
    let stage = try BusStage()
    let service = try stage.service(properties: Self.two)
    let kept = stage.listen(to: "Kept")
    let watched = (0..<3).map { _ in stage.watch(["Level"]) }
    try stage.wait(until: watched.allSatisfy { !$0.events.isEmpty })
    // Those of the signal, the properties, the owner of the name, and the spare one.
    #expect(try rules(stage, service) == 4)
    watched[0].onEvent = { _ in watched[0].disposable?.dispose() }
    try service.change("Level", to: .double(1))
    try service.change("Level", to: .double(2))
    try stage.wait(until: watched[2].values["Level"] == 2)
    #expect(watched[0].values["Level"] == 1)
    for watch in watched { watch.disposable?.dispose() }
    try stage.awaitCalm()
    #expect(try rules(stage, service) == 3)
    kept.disposable?.dispose()
    try stage.wait(until: stage.buses.connectionCount == 0)
  }

  /// Returns the number of match rules of all connections but the service's.
  private func rules(_ stage: BusStage, _ service: TestService) throws -> Int {
    let answer = try stage.call(
      "GetAllMatchRules", interface: "org.freedesktop.DBus.Debug.Stats", at: "/org/freedesktop/DBus",
      of: "org.freedesktop.DBus")
    guard case .object(let rules)? = answer.values?.first else { return -1 }
    return rules.members.reduce(0) { sum, member in
      guard case .array(let list) = member.value, member.key != service.connection.uniqueName else { return sum }
      return sum + list.count
    }
  }

  @Test func `start nothing by being looked at, unless they should`() throws {
    let stage = try BusStage(activated: [BusStage.name: "/bin/false"])
    let watched = stage.watch(["Level"], every: .milliseconds(2))
    try stage.wait(until: watched.isGone)
    let active = stage.watch(["Level"], activates: true)
    // It fails while it is being started.
    try stage.wait(until: !active.refusals.isEmpty)
    #expect(watched.events == [.gone])
    #expect(active.refusals.first?.message.contains("exited with status 1") == true)
  }
}
