import BusSupport
import GraphModel
import JSON
import Linux
import Signals
import TestSupport
import Testing

@testable import Daemon
@testable import World

/// More watched objects than the bus allows rules for.
@Suite struct `Rules at a bus` {
  private static func path(_ number: Int) -> String { "/org/example/things/_\(number)" }

  /// A service with many objects, each with a level of its own.
  private final class Things {
    let stage: BusStage
    let service: TestService
    private var levels: [String: Int64] = [:]
    /// The object whose level changes as soon as it has been read.
    var restless: Int?

    init(rules: Int) throws {
      stage = try BusStage(rules: rules)
      service = try stage.service()
      service.meddle = { [unowned self] call in
        guard call.member == "Get" else { return false }
        try service.reply(to: call, [(.variant, .integer(levels[call.path ?? "", default: 0]))])
        if let number = restless, call.path == path(number) {
          restless = nil
          try change(number, to: 99)
        }
        return true
      }
    }

    func change(_ number: Int, to level: Int64) throws {
      let path = path(number)
      levels[path] = level
      service.properties = ["Level": .init(.int32, .integer(level))]
      try service.announce(["Level"], at: path)
    }

    func level(of number: Int) -> JSONValue { .number(Double(levels[path(number), default: 0])) }

    func watch(_ numbers: some Sequence<Int>) -> [Watched] {
      numbers.map { stage.watch(["Level"], at: path($0)) }
    }
  }

  @Test(arguments: [12, 50, 99]) func `are one for many objects where each cannot have its own`(rules: Int) throws {
    let things = try Things(rules: rules)
    let watched = things.watch(0..<200)
    try things.stage.wait(until: watched.allSatisfy { $0.values["Level"] == 0 })
    try things.stage.wait(until: things.stage.lines.count(of: "accepts no more match rules") == 1)
    try things.stage.awaitCalm()
    for number in 0..<200 { try things.change(number, to: Int64(1000 + number)) }
    try things.stage.wait(until: watched.indices.allSatisfy { watched[$0].values["Level"] == things.level(of: $0) })
    // Each received its value and its change, and nothing of others.
    #expect(watched.allSatisfy { $0.events.count == 2 && $0.refusals.isEmpty })
    #expect(things.stage.lines.count(of: "accepts no more match rules") == 1)
    for watch in watched.dropFirst() { watch.disposable?.dispose() }
    try things.change(0, to: 7)
    try things.stage.wait(until: watched[0].values["Level"] == 7)
    watched[0].disposable?.dispose()
    try things.stage.wait(until: things.stage.buses.connectionCount == 0)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `miss no change that comes while they are exchanged`(seed: UInt64) throws {
    let things = try Things(rules: 16)
    var random = SplitMix(seed: seed)
    var watched: [Watched] = []
    for round in 0..<400 {
      if watched.count < 120, round % 2 == 0 { watched += things.watch([watched.count]) }
      try things.change(Int.random(in: 0..<120, using: &random), to: Int64(round + 1))
      for _ in 0..<Int.random(in: 0..<3, using: &random) { try things.stage.loop.runIteration(timeout: .zero) }
    }
    try things.stage.wait(until: watched.indices.allSatisfy { watched[$0].values["Level"] == things.level(of: $0) })
    try things.stage.awaitCalm()
    #expect(watched.indices.allSatisfy { watched[$0].values["Level"] == things.level(of: $0) })
    #expect(watched.allSatisfy { $0.refusals.isEmpty })
    // The test again on a new connection.
    things.stage.bus.kill()
    try things.stage.wait(until: watched.allSatisfy { $0.isGone })
  }

  @Test func `that come late have read again what changed before them`() throws {
    let things = try Things(rules: 6)
    let watched = things.watch(0..<4)
    try things.stage.wait(until: watched.allSatisfy { $0.values["Level"] == 0 })
    things.restless = 4
    let late = things.watch([4])[0]
    try things.stage.wait(until: late.values["Level"] == 99)
    #expect(things.stage.lines.count(of: "accepts no more match rules") == 1)
    // Each at its beginning, and the late one once more for the rule that it shares.
    try things.stage.awaitCalm()
    #expect(things.service.calls["Get"] == 6)
  }

  @Test func `bring each signal once, whatever its arguments`() throws {
    let things = try Things(rules: 10)
    let plain = (0..<20).map { things.stage.listen(to: "Pressed", at: Self.path($0)) }
    let chosen = (0..<20).map { things.stage.listen(to: "Pressed", arguments: [0: "key \($0 % 2)"], at: Self.path($0)) }
    try things.stage.wait(until: things.stage.lines.count(of: "accepts no more match rules") > 0)
    try things.stage.awaitCalm()
    for number in 0..<20 {
      for key in ["key 0", "key 1", "other"] {
        try things.service.emit("Pressed", [(.string, .string(key))], at: Self.path(number))
      }
    }
    try things.stage.wait(until: plain.allSatisfy { $0.events.count == 3 })
    try things.stage.awaitCalm()
    #expect(plain.allSatisfy { $0.events == ["key 0", "key 1", "other"].map { .arguments([.string($0)]) } })
    #expect(chosen.indices.allSatisfy { chosen[$0].events == [.arguments([.string("key \($0 % 2)")])] })
  }

  @Test func `of names follow all owners`() throws {
    let things = try Things(rules: 10)
    let names = (0..<30).map { "org.example.Service\($0)" }
    let watched = names.map { things.stage.watch(["Level"], of: $0) }
    try things.stage.wait(until: watched.allSatisfy { $0.isGone })
    try things.stage.awaitCalm()
    let other = try things.stage.service(nil, properties: ["Level": .init(.int32, .integer(3))])
    for name in names { try other.own(name) }
    try things.stage.wait(until: watched.filter { $0.values["Level"] == 3 }.count == 30)
    other.close()
    try things.stage.wait(until: watched.allSatisfy { $0.isGone })
  }

  @Test func `that no other can stand for are refused, which is reported`() throws {
    let things = try Things(rules: 3)
    let level = things.stage.watch(["Level"])
    let pressed = things.stage.listen(to: "Pressed")
    try things.stage.wait(until: !pressed.refusals.isEmpty && !level.values.isEmpty)
    #expect(pressed.refusals.first?.code == "bus")
    #expect(pressed.refusals.first?.message.contains("LimitsExceeded") == true)
    try things.change(0, to: 1)
    #expect(level.refusals.isEmpty)
  }
}
