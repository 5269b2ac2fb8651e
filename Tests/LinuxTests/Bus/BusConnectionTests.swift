import Base
import BusSupport
import CSystemd
import Glibc
import Testing

@testable import Linux

/// A bus with a service and a caller, on one poller.
private final class Pair {
  let bus: PrivateBus
  let poller: Poller
  let service: TestService
  let caller: TestService

  init() throws {
    bus = try PrivateBus()
    poller = try Poller()
    service = try TestService(on: bus.address, poller: poller)
    caller = try TestService(on: bus.address, poller: poller)
    try service.own("org.example.Service")
    try wait(until: service.owned.count == 1 && caller.connection.isReady)
  }

  func wait(until condition: @autoclosure () -> Bool) throws {
    let end = MonotonicInstant.now() + .seconds(60)
    while !condition() {
      try #require(MonotonicInstant.now() < end, "nothing comes of it")
      try poller.serve(timeout: .seconds(1))
    }
  }

  /// Calls a method with handwritten arguments, and passes on its answer.
  func call(
    _ write: (inout OutgoingBusMessage) throws(BusValueError) -> Void,
    _ answered: @escaping (borrowing BusMessage) -> Void
  ) throws {
    var message = try OutgoingBusMessage.call(
      of: "Take", TestService.interface, at: TestService.path, of: "org.example.Service", on: caller.connection)
    try write(&message)
    var isAnswered = false
    let slot = try caller.connection.call(message, timeout: .seconds(20)) { answer in
      answered(answer)
      isAnswered = true
    }
    try caller.connection.arm()
    try wait(until: isAnswered)
    withExtendedLifetime(slot) {}
  }

  /// Returns the arguments that the service reads from a call.
  func read<Value>(
    _ arguments: [(BusType, BusValue)], _ read: @escaping (borrowing BusMessage) throws(BusValueError) -> Value
  ) throws -> Result<Value, BusValueError>? {
    var result: Result<Value, BusValueError>?
    service.meddle = { [service] call in
      do throws(BusValueError) { result = .success(try read(call)) } catch { result = .failure(error) }
      try service.reply(to: call, [])
      return true
    }
    try call({ (message) throws(BusValueError) in
      for (type, value) in arguments { try message.append(value, as: type) }
    }) { _ in }
    return result
  }
}

@Suite struct `A message of D-Bus` {
  @Test func `brings back every value that was written`() throws {
    let pair = try Pair()
    let arguments: [(BusType, BusValue)] = [
      (.byte, .integer(255)), (.int16, .integer(-32768)), (.uint16, .integer(65535)), (.uint32, .integer(1 << 31)),
      (.int64, .integer(.min)), (.uint64, .unsigned(.max)), (.uint64, .integer(.max)), (.double, .double(-0.25)),
      (.boolean, .bool(true)), (.string, .string("grün")), (.objectPath, .string("/a")), (.signature, .string("a{sv}")),
      (.array(.byte), .bytes([0, 255])), (.array(.string), .list([])),
      (
        .dictionary(key: .uint32, value: .array(.structure([.int32, .variant]))),
        .dictionary([.init(key: "7", value: .list([.list([.integer(1), .string("x")])]))])
      ),
    ]
    let read = try pair.read(arguments) { (call) throws(BusValueError) in try call.values() }
    #expect(read == .success(arguments.map(\.1)))
  }

  @Test func `that is larger or deeper than allowed is refused, and what follows is read`() throws {
    let pair = try Pair()
    let deep = (0..<10).reduce(BusValue.integer(1)) { value, _ in .list([value]) }
    let properties: [BusValue.Member] = [
      .init(key: "a", value: .integer(1)), .init(key: "long", value: .string(String(repeating: "x", count: 100))),
      .init(key: "deep", value: deep), .init(key: "unwanted", value: deep), .init(key: "b", value: .integer(2)),
      .init(key: "long", value: .list([.list([.string(String(repeating: "x", count: 90))]), .integer(1)])),
      .init(key: "c", value: .integer(3)),
    ]
    let type = BusType.dictionary(key: .string, value: .variant)
    var found: [String] = []
    let names = ["a", "b", "c", "deep", "long"]
    let after = try pair.read([(type, .dictionary(properties)), (.string, .string("after"))]) {
      (call) throws(BusValueError) in
      try call.properties(names, within: BusLimits(bytes: 80, depth: 8)) { index, result in
        switch result {
        case .success(let value): found.append("\(names[index]) \(value)")
        case .failure(let error): found.append("\(names[index]) \(error)")
        }
      }
      return try call.string()
    }
    #expect(after == .success("after"))
    #expect(
      found == [
        "a integer(1)", "long it is larger than 80 bytes", "deep it is nested more than 8 deep", "b integer(2)",
        "long it is larger than 80 bytes", "c integer(3)",
      ])
  }

  @Test func `with a descriptor makes no value`() throws {
    let pair = try Pair()
    var result: Result<[BusValue], BusValueError>?
    pair.service.meddle = { [service = pair.service] call in
      do throws(BusValueError) { result = .success(try call.values()) } catch { result = .failure(error) }
      try service.reply(to: call, [])
      return true
    }
    try pair.call({ message in
      var number: Int32 = 0
      sd_bus_message_append_basic(message.pointer, CChar(UInt8(ascii: "h")), &number)
    }) { _ in }
    #expect(result == .failure(.descriptor))
  }

  @Test func `is not written where a value does not fit`() throws {
    let pair = try Pair()
    let misfits: [(BusType, BusValue)] = [
      (.byte, .integer(256)), (.uint64, .integer(-1)), (.int64, .unsigned(.max)), (.string, .integer(1)),
      (.objectPath, .string("no path")), (.signature, .string("z")), (.string, .string("a\0b")),
      (.structure([.int32]), .list([])),
      (.dictionary(key: .int32, value: .int32), .dictionary([.init(key: "x", value: .integer(1))])),
      (.descriptor, .integer(0)), (.array(.boolean), .list([.bool(true), .integer(1)])),
    ]
    for (type, value) in misfits {
      var message = try OutgoingBusMessage.signal("S", of: "a.b", at: "/", on: pair.service.connection)
      #expect(throws: BusValueError.self) { try message.append(value, as: type) }
    }
    let deep = (0..<100).reduce(BusValue.integer(1)) { value, _ in .list([value]) }
    var message = try OutgoingBusMessage.signal("S", of: "a.b", at: "/", on: pair.service.connection)
    #expect(throws: BusValueError.tooDeep(60)) { try message.append(deep, as: .variant) }
  }
}

@Suite struct `A connection to a bus` {
  @Test func `writes at once what is sent, and calls no listener that is gone`() throws {
    let pair = try Pair()
    let listener = TestListener()
    var heard: [String] { listener.heard.map { if case .string(let text)? = $0.first { text } else { "nothing" } } }
    var match: BusMatch? = try pair.caller.connection.match(
      MatchRule(
        sender: "org.example.Service", path: TestService.path, interface: TestService.interface, member: "Said",
        arguments: [0: ExactText("well")]),
      for: listener)
    try pair.call({ _ in }) { _ in }
    try pair.service.emit("Said", [(.string, .string("ill"))])
    try pair.service.emit("Said", [(.string, .string("well"))])
    try pair.wait(until: !heard.isEmpty)
    #expect(heard == ["well"])
    #expect(listener.answers == [nil])
    match = nil
    try pair.service.emit("Said", [(.string, .string("well"))])
    try pair.call({ _ in }) { _ in }
    #expect(heard == ["well"])
    withExtendedLifetime(match) {}
  }

  @Test func `answers overdue calls by itself`() throws {
    let pair = try Pair()
    pair.service.meddle = { _ in true }
    let message = try OutgoingBusMessage.call(
      of: "Wait", TestService.interface, at: TestService.path, of: "org.example.Service", on: pair.caller.connection)
    var error: BusError?
    let slot = try pair.caller.connection.call(message, timeout: .milliseconds(20)) { answer in error = answer.error }
    let deadline = try #require(pair.caller.connection.deadline)
    #expect(deadline <= .now() + .milliseconds(20))
    while error == nil { _ = try pair.caller.connection.process() }
    #expect(MonotonicInstant.now() >= deadline)
    #expect(error?.isMissingReply == true)
    withExtendedLifetime(slot) {}
  }

  @Test func `reports that the bus has closed it`() throws {
    let pair = try Pair()
    pair.bus.kill()
    try pair.wait(until: pair.service.isClosed && pair.caller.isClosed)
    let address = try #require(BusAddress("unix:path=/nonexistent/bus"))
    #expect(throws: Errno.self) { try BusConnection(to: address, poller: pair.poller) {} }
  }

  @Test func `is refused a call where the bus takes nothing in`() throws {
    let pair = try Pair()
    let text = BusValue.string(String(repeating: "x", count: 10_000))
    // The service is on the same poller, which is not served meanwhile; the bus reads until its limit.
    #expect(throws: Errno(ENOBUFS, call: "sd_bus_send")) {
      for _ in 0..<100_000 {
        var message = try OutgoingBusMessage.call(
          of: "Take", TestService.interface, at: TestService.path, of: "org.example.Service",
          on: pair.caller.connection)
        try message.append(text, as: .string)
        try pair.caller.connection.send(message)
      }
    }
  }
}
