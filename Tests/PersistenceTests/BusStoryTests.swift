import GraphModel
import GraphStories
import JSON
import TestSupport
import Testing

@testable import Persistence

/// Random events on a bus have the same result whether or not the durable graphs around it are killed.
@Suite struct `Random stories on a bus` {
  @Test(arguments: 1...30)
  func `graphs that are killed between the steps emit what others emit`(seed: Int) throws {
    let straight = try BusStory(seed: seed, kills: false).told()
    let killed = try BusStory(seed: seed, kills: true).told()
    // A watch renewed by a retry gets its events after the others, and after a kill in its place again.
    let (signals, others) = (Self.bySignal(straight), Self.bySignal(killed))
    #expect(signals.keys.count > 5)
    for (signal, told) in signals { #expect(told == others[signal], "\(signal)") }
    #expect(killed.count == straight.count)
  }

  private static func bySignal(_ told: [String]) -> [Substring: [String]] {
    Dictionary(grouping: told) { $0.prefix { $0 != " " } }
  }
}

/// A service with some properties that change at random, and graphs that watch it.
private final class BusStory {
  private static let graphs = """
    g:
      durable: true
      signals:
        plain: {dbus: {name: org.a.B, path: /a, interface: org.a.I, property: A}, replay: 999}
        kept: {dbus: {name: org.a.B, path: /a, interface: org.a.I, property: B, missing: keep}, replay: 999}
        all: {dbus: {name: org.a.B, path: /a, interface: org.a.I, properties: [C, A, B]}, replay: 999}
        failing:
          dbus: {name: org.a.B, path: /a, interface: org.a.I, property: A, missing: fail}
          pipe: [{retry: {delay: 1s}}]
          replay: 999
        set:
          dbus: {name: org.a.B, path: /a, interface: org.a.I, property: C, write: true}
          on_error: emit
          replay: 999
        emitted: {dbus: {name: org.a.B, path: /a, interface: org.a.I, signal: S}, replay: 999}
        unit: {unit: a.service, replay: 999}
        both: {combine: {plain: plain, kept: kept}, replay: 999}
        quiet: {from: all, pipe: [{debounce: 1s}], replay: 999}
        count: {from: set, pipe: [{scan: {initial: 0, next: $state + 1}}], replay: 999}
        started: {from: kept, pipe: [{flat_map: {latest: {dbus: {name: org.a.B, path: /a, interface: org.a.I, signal: S}}}}], replay: 999}
    """
  private static let states = ["active", "failed", "inactive"]

  private let host: DurableHost
  private var random: SplitMix
  private let kills: Bool
  private var isOwned = true
  private var values: [String: JSONValue] = ["A": 0, "B": 0, "C": 0]
  private var unit: [String: JSONValue] = [
    "ActiveState": "inactive", "SubState": "dead", "StateChangeTimestamp": 0, "Result": "success",
  ]
  private var answered = 0

  init(seed: Int, kills: Bool) throws {
    host = try DurableHost(Self.graphs)
    random = SplitMix(seed: UInt64(seed))
    self.kills = kills
  }

  private var bus: PlayedBuses { host.world.played }
  private func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  /// Returns all events for clients in forty steps.
  func told() throws -> [String] {
    greet()
    for _ in 0..<40 {
      step()
      host.settle()
      answer()
      greet()
      let (chance, hasSnapshot) = (number(0..<3), number(0..<3) == 0)
      guard kills, chance > 0 else { continue }
      if hasSnapshot {
        host.present.takeSnapshot()
        host.settle()
      }
      try host.kill()
      answered = 0
      greet()
    }
    return host.told
  }

  /// Delivers the complete state to new watches.
  private func greet() {
    bus.greet { properties in
      if properties.object.name == SystemdService.name { return .properties(unit) }
      return isOwned ? .properties(values) : .gone
    }
    host.settle()
  }

  /// The service accepts all values but odd numbers.
  private func answer() {
    while answered < bus.questions.count {
      let question = bus.questions[answered]
      answered += 1
      let value = Double(question.text.split(separator: " ").last ?? "") ?? 0
      if !isOwned || Int(value) % 2 == 1 {
        question.answer(.failed(SignalFailure(code: "bus", message: "not \(question.text)")))
      } else {
        question.answer(.returned([]))
        values["C"] = .number(value)
        bus.tell(["C": .number(value)], of: "/a")
      }
      host.settle()
    }
  }

  private func step() {
    switch number(0..<12) {
    case 0...3:
      var changed: [String: JSONValue] = [:]
      for name in ["A", "B", "C"] where number(0..<2) == 0 { changed[name] = .number(Double(number(0..<3))) }
      guard isOwned, !changed.isEmpty else { break }
      values.merge(changed) { $1 }
      bus.tell(changed, of: "/a")
    case 4:
      guard isOwned else { break }
      isOwned = false
      bus.tell(.gone, of: "/a")
    case 5:
      if isOwned { break }
      isOwned = true
      bus.tell(values, of: "/a")
    case 6: bus.emit("S", .number(Double(number(0..<5))))
    case 7: host.send(.number(Double(number(0..<5))), to: "g.set")
    case 8:
      unit["Result"] = .string(Self.states[number(0..<3)])
      bus.tell(unit.filter { $0.key == "Result" }, of: SystemdService.unit)
      unit["ActiveState"] = .string(Self.states[number(0..<3)])
      unit["StateChangeTimestamp"] = .number(Double(number(0..<3)) * 1e15)
      bus.tell(unit.filter { $0.key != "Result" }, of: SystemdService.unit)
    case 9: bus.tell(.refused(SignalFailure(code: "bad_value", message: "too large")), of: "/a")
    default: host.advance(by: .milliseconds(500 * number(1..<4)))
    }
  }
}

private enum SystemdService {
  static let name = "org.freedesktop.systemd1"
  static let unit = "/org/freedesktop/systemd1/unit/a_2eservice"
}
