import BusSupport
import GraphModel
import JSON
import Linux
import Signals
import Testing

@testable import Daemon

@Suite struct `A signal on a bus` {
  @Test func `is delivered with its arguments in the order of the bus`() throws {
    let stage = try BusStage()
    let service = try stage.service()
    let listener = stage.listen(to: "Pressed")
    try stage.awaitCalm()
    for number in Int64(0)..<100 { try service.emit("Pressed", [(.int32, .integer(number)), (.boolean, .bool(true))]) }
    try service.emit("Pressed", [])
    try stage.wait(until: listener.events.count == 101)
    #expect(listener.events == (0..<100).map { .arguments([.number(Double($0)), true]) } + [.arguments([])])
  }

  @Test func `is filtered by its sender, its path, and its arguments`() throws {
    let stage = try BusStage()
    let service = try stage.service()
    let other = try stage.service("org.example.Other")
    let listener = stage.listen(to: "Pressed", arguments: [0: "left", 1: "it's"])
    try stage.awaitCalm()
    let fitting: [(BusType, BusValue)] = [(.string, .string("left")), (.string, .string("it's"))]
    try other.emit("Pressed", fitting)
    try service.emit("Pressed", fitting, at: "/org/example/Other")
    try service.emit("Pressed", [(.string, .string("left")), (.string, .string("its"))])
    try service.emit("Pressed", [(.string, .string("right")), (.string, .string("it's"))])
    try service.emit("Released", fitting)
    try service.emit("Pressed", fitting)
    try stage.wait(until: !listener.events.isEmpty)
    try stage.awaitCalm()
    #expect(listener.events == [.arguments(["left", "it's"])])
  }

  @Test func `is told apart by the bytes of its arguments`() throws {
    let stage = try BusStage()
    let service = try stage.service()
    let texts = ["\u{e9}", "e\u{301}"]
    let listeners = texts.map { stage.listen(to: "Pressed", arguments: [0: $0]) }
    try stage.awaitCalm()
    for text in texts { try service.emit("Pressed", [(.string, .string(text))]) }
    try stage.wait(until: listeners.allSatisfy { !$0.events.isEmpty })
    try stage.awaitCalm()
    for (text, listener) in zip(texts, listeners) { #expect(listener.events == [.arguments([.string(text)])]) }
  }

  @Test func `is gone with its sender, and comes from the next one`() throws {
    let stage = try BusStage()
    let listener = stage.listen(to: "Pressed")
    try stage.wait(until: listener.isGone)
    for _ in 0..<3 {
      let service = try stage.service()
      try service.emit("Pressed", [])
      try stage.wait(until: listener.events.last == .arguments([]))
      service.close()
      try stage.wait(until: listener.events.last == .gone)
    }
    #expect(listener.events.count == 7)
  }

  @Test func `that makes no value is refused each time`() throws {
    let stage = try BusStage()
    let service = try stage.service()
    let listener = stage.listen(to: "Pressed")
    try stage.awaitCalm()
    for _ in 0..<3 { try service.emit("Pressed", [(.double, .double(.infinity))]) }
    try service.emit("Pressed", [(.string, .string("well"))])
    try stage.wait(until: listener.events.last == .arguments(["well"]))
    #expect(listener.refusals.map(\.code) == ["bad_value", "bad_value", "bad_value"])
  }

  @Test func `is not delivered to a listener that has disposed of it`() throws {
    let stage = try BusStage()
    let service = try stage.service()
    let listener = stage.listen(to: "Pressed")
    let other = stage.listen(to: "Pressed")
    listener.onEvent = { _ in
      listener.disposable?.dispose()
      other.disposable?.dispose()
    }
    other.onEvent = listener.onEvent
    try stage.awaitCalm()
    for _ in 0..<3 { try service.emit("Pressed", []) }
    try stage.wait(until: !listener.events.isEmpty || !other.events.isEmpty)
    try stage.awaitCalm()
    #expect(listener.events.count + other.events.count == 1)
  }
}
