import BusSupport
import GraphModel
import JSON
import Linux
import TestSupport
import Testing

@testable import Daemon
@testable import World

/// A service with random behaviour, regular and irregular.
private final class ChaosService {
  static let properties: [String: TestService.Property] = [
    "Announced": .init(.int32, .integer(0), announcement: "true"),
    "Invalidated": .init(.int32, .integer(0), announcement: "invalidates"),
    "Constant": .init(.int32, .integer(0), announcement: "const"),
    "Silent": .init(.int32, .integer(0), announcement: "false"),
    "Text": .init(.string, .string(""), announcement: "true"),
    "Number": .init(.double, .double(0), announcement: "true"),
  ]

  private let stage: BusStage
  private var random: SplitMix
  private(set) var service: TestService
  private(set) var ownerChanges = 0
  private var held: [(call: TestService.HeldCall, properties: [String: TestService.Property])] = []
  /// The behaviour at the next reading.
  private var transition: SubscriptionTransition?
  private var number: Int64 = 0

  private enum SubscriptionTransition: CaseIterable { case held, refused, wrong, empty }

  init(on stage: BusStage, seed: UInt64) throws {
    self.stage = stage
    random = SplitMix(seed: seed)
    service = try TestService(on: stage.bus.address, poller: stage.poller)
    try begin()
  }

  /// Simulates a new process with new values, as far as the bus can observe.
  private func begin() throws {
    held = []
    transition = nil
    service = try TestService(on: stage.bus.address, poller: stage.poller)
    service.properties = Self.properties
    service.properties["Constant"]?.value = .integer(Int64(ownerChanges))
    service.meddle = { [unowned self] call in try meddle(call) }
    try service.own(BusStage.name)
  }

  private func meddle(_ call: borrowing BusMessage) throws -> Bool {
    guard call.member == "Get" || call.member == "GetAll", let transition = transition.take() else { return false }
    switch transition {
    case .held: held.append((.init(call), service.properties))
    case .refused: try service.refuse(call, "Failed", "not now")
    case .wrong: try service.reply(to: call, [(.string, .string("what?"))])
    case .empty: try service.reply(to: call, [])
    }
    return true
  }

  func step() throws {
    number += 1
    switch Int.random(in: 0..<100, using: &random) {
    case ..<15: try service.change("Announced", to: .integer(number))
    case ..<30: try service.change("Invalidated", to: .integer(number), announced: "invalidates")
    case ..<40: try service.change("Silent", to: .integer(number), announced: "false")
    case ..<45: try changeTogether()
    case ..<50: try service.change("Text", to: .string(String(repeating: "x", count: 1_100_000)))
    case ..<55: try service.change("Number", to: .double(.nan))
    case ..<60: try announceNonsense()
    case ..<65: transition = SubscriptionTransition.allCases.randomElement(using: &random)
    case ..<75: try answerHeld()
    case ..<85: try changeOwner()
    default:
      ownerChanges += 1
      service.close()
      try begin()
    }
  }

  private func changeTogether() throws {
    for name in ["Announced", "Silent"] { service.properties[name]?.value = .integer(number) }
    service.properties["Text"]?.value = .string("text \(number)")
    service.properties["Number"]?.value = .double(Double(number) / 4)
    try service.announce(["Announced", "Silent", "Text", "Number"], invalidated: ["Invalidated"])
  }

  private func announceNonsense() throws {
    let contents: [(BusType, BusValue)] = [
      (.string, .string(TestService.interface)), (.array(.int32), .list([.integer(number)])),
    ]
    try service.emit(
      "PropertiesChanged", Array(contents.prefix(Int(number % 3))), of: "org.freedesktop.DBus.Properties")
  }

  /// Answers held calls with the values at the time of the call.
  private func answerHeld() throws {
    let now = service.properties
    for (call, properties) in held {
      service.properties = properties
      call.message.rewind()
      try service.reply(to: call.message)
    }
    service.properties = now
    held = []
  }

  private func changeOwner() throws {
    ownerChanges += 1
    if service.owned.isEmpty { try service.own(BusStage.name) } else { try service.release(BusStage.name) }
  }

  /// Returns to regular behaviour, with valid values.
  func calmDown() throws {
    transition = nil
    try stage.wait(until: service.areNamesSettled)
    while service.owned.isEmpty {
      try service.own(BusStage.name)
      try stage.wait(until: service.areNamesSettled)
    }
    try answerHeld()
    try changeTogether()
  }

  /// The values returned by `Get`.
  var values: [String: JSONValue] {
    get throws { try service.properties.mapValues { try JSONValue($0.value, bytes: .numbers) } }
  }
}

@Suite struct `A service that does what it likes` {
  private static let announced = ["Announced", "Invalidated", "Constant", "Text", "Number"]

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `is reported as it is whenever it is at rest, however often its owner changes`(seed: UInt64) throws {
    let changes = TestAmount.number("OWNER_CHANGES") ?? TestAmount.scaled(150)
    let stage = try BusStage()
    let chaos = try ChaosService(on: stage, seed: seed)
    let all = stage.watch(Self.announced)
    let singles = Self.announced.map { (name: $0, watched: stage.watch([$0])) }
    let polled = stage.watch(["Silent", "Announced"], every: .milliseconds(5))
    var pauses = SplitMix(seed: seed &+ 100)
    while chaos.ownerChanges < changes {
      for _ in 0..<50 {
        try chaos.step()
        for _ in 0..<Int.random(in: 0..<8, using: &pauses) { try stage.loop.runIteration(timeout: .zero) }
      }
      try chaos.calmDown()
      let values = try chaos.values
      try stage.wait(until: all.values == values.filter { Self.announced.contains($0.key) })
      try stage.wait(until: singles.allSatisfy { $0.watched.values[$0.name] == values[$0.name] })
      try stage.wait(until: polled.values == values.filter { ["Silent", "Announced"].contains($0.key) })
      try stage.awaitCalm()
      #expect(all.values == values.filter { Self.announced.contains($0.key) })
      #expect(singles.allSatisfy { $0.watched.values[$0.name] == values[$0.name] })
    }
    #expect(!all.refusals.isEmpty)
    #expect(stage.buses.connectionCount == 1)
  }

  @Test func `has each value that is skipped reported as refused`() throws {
    let stage = try BusStage()
    let service = try stage.service(properties: ["Number": .init(.double, .double(0))])
    let watched = stage.watch(["Number"])
    try stage.wait(until: !watched.events.isEmpty)
    var expected: [BusEvent] = [.properties(["Number": 0])]
    for number in 1...200 {
      let isNumber = number % 3 == 0
      try service.change("Number", to: .double(isNumber ? Double(number) : .nan))
      if isNumber { expected.append(.properties(["Number": .number(Double(number))])) }
    }
    try stage.awaitCalm()
    #expect(watched.events.filter { if case .properties = $0 { true } else { false } } == expected)
    #expect(watched.refusals.count == 200 - 200 / 3)
  }

  @Test func `that floods the bus delays nothing else on the loop`() throws {
    let stage = try BusStage()
    let service = try stage.service(properties: ["Number": .init(.int32, .integer(0))])
    let watched = stage.watch(["Number"])
    try stage.wait(until: !watched.events.isEmpty)
    for number in 1...Int64(5000) { try service.change("Number", to: .integer(number)) }
    var longest = Duration.zero
    while watched.values["Number"] != 5000 {
      let begin = MonotonicInstant.now()
      try stage.loop.runIteration(timeout: .seconds(10))
      longest = max(longest, .now() - begin)
    }
    #expect(watched.events.count == 5001)
    // A turn has a share of 2 ms for such work; it serves the service of this test as well.
    #expect(longest < .seconds(1))
  }
}
