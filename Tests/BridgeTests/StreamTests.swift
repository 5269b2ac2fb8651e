import JSON
import Linux
import TestSupport
import Testing

@testable import Bridge

@Suite struct `Followed streams` {
  private let daemon: ScriptedDaemon

  init() throws { daemon = try ScriptedDaemon() }

  private func follow(
    _ settings: JSONObject = JSONObject(), position: String? = nil, _ handler: @escaping TestServer.Handler
  ) throws -> TestServer {
    let server = try TestServer(handler)
    try daemon.attach(
      [ScriptedDaemon.http(server.url, settings)],
      [ScriptedDaemon.source(["path": "/events", "events": true], position: position)])
    return server
  }

  private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n\r\n"

  @Test func `events come with their ids as positions`() throws {
    let server = try follow(position: "6") { _, connection, server in
      try connection.write(Self.head + "id: 7\nevent: news\ndata: {\"a\":1}\n\ndata: two\ndata: lines\n\n")
      server.waitForGate()
    }
    defer { server.close() }
    let first = try daemon.value()
    #expect(first.string("payload") == #"{"a":1}"#)
    #expect(first.string("position") == "7")
    #expect(first["details"] == ["event": "news", "id": "7"])
    #expect(try daemon.value().string("payload") == "two\nlines")
    #expect(server.requests[0].headers["last-event-id"] == "6")
    #expect(server.requests[0].headers["accept"] == "text/event-stream")
  }

  @Test func `over a hundred breaks nothing is lost and nothing doubled`() throws {
    let count = 3000
    let server = try follow { request, connection, server in
      var random = SplitMix(seed: UInt64(server.requests.count))
      let start = request.headers["last-event-id"].flatMap { Int($0) } ?? 0
      var text = "retry: 10\n\n"
      for number in (start + 1)...max(start + 1, min(count, start + 60)) where number <= count {
        text += "id: \(number)\r\ndata: event \(number)\r\n: pad\r\n\r\n"
      }
      var bytes = Array(text.utf8)
      // The first hundred streams break anywhere.
      if server.requests.count <= 100 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
      try connection.write(Self.head)
      while !bytes.isEmpty {
        let piece = bytes.prefix(Int.random(in: 1...200, using: &random))
        try connection.write(Array(piece))
        bytes.removeFirst(piece.count)
      }
      try connection.end()
    }
    defer { server.close() }
    for number in 1...count { #expect(try daemon.value().string("payload") == "event \(number)") }
    #expect(server.requests.count > 100)
  }

  @Test func `a stream goes on behind what the daemon has where only the settings of its connection change`() throws {
    let server = try follow { request, connection, server in
      let start = request.headers["last-event-id"].flatMap { Int($0) } ?? 0
      try connection.write(Self.head + ((start + 1)...(start + 5)).map { "id: \($0)\ndata: \($0)\n\n" }.joined())
      server.waitForGate()
    }
    defer { server.close() }
    for number in 1...4 { #expect(try daemon.value().string("payload") == "\(number)") }
    let fifth = try daemon.value(answering: false)
    try daemon.write(["event": "declared", "connections": [ScriptedDaemon.http(server.url, ["timeout": 11])]])
    try daemon.run(for: .milliseconds(100))
    #expect(server.requests.count == 1)
    try daemon.answer(fifth)
    #expect(try daemon.value().string("payload") == "6")
    #expect(server.requests[1].headers["last-event-id"] == "5")
  }

  @Test func `no more events wait for the daemon than the window allows, and the rest stays with the server`() throws {
    let written = Monitor(0)
    let count = 200_000
    let server = try follow { _, connection, _ in
      try connection.write(Self.head)
      for start in stride(from: 1, through: count, by: 100) {
        try connection.write(
          (start..<(start + 100)).map { "id: \($0)\ndata: \($0) \(String(repeating: "x", count: 40))\n\n" }.joined())
        written.withLock { $0 = start + 99 }
      }
      try connection.end()
    }
    defer { server.close() }
    try daemon.run(until: { daemon.all("send").count >= 64 })
    try daemon.run(for: .milliseconds(500))
    #expect(daemon.all("send").count == 64)
    // The buffers of two sockets hold the rest.
    #expect(written.withLock { $0 } < count)
    for number in 1...2000 { #expect(try daemon.value().string("position") == "\(number)") }
  }

  @Test func `what the daemon refuses for now comes again`() throws {
    let server = try follow { request, connection, server in
      let start = request.headers["last-event-id"].flatMap { Int($0) } ?? 0
      try connection.write(Self.head + "retry: 10\n")
      for number in (start + 1)...(start + 3) { try connection.write("id: \(number)\ndata: \(number)\n\n") }
      server.waitForGate()
    }
    defer { server.close() }
    _ = try daemon.value()
    let second = try daemon.value(answering: false)
    let third = try daemon.value(answering: false)
    try daemon.answer(second, refusedBy: "busy")
    try daemon.answer(third, refusedBy: "busy")
    #expect(try daemon.value().string("payload") == "2")
    #expect(try daemon.value().string("payload") == "3")
  }

  @Test func `a source that has ended is not read any more`() throws {
    let server = try follow { _, connection, server in
      try connection.write(Self.head + "retry: 10\ndata: a\n\n")
      try connection.end()
    }
    defer { server.close() }
    try daemon.answer(try daemon.value(answering: false), refusedBy: "ended")
    let count = server.requests.count
    try daemon.run(for: .milliseconds(500))
    #expect(server.requests.count <= count + 1)
    #expect(!daemon.messages.contains { $0.contains("takes no value") })
  }

  @Test func `what is no value of the signal is dropped`() throws {
    let server = try follow { _, connection, server in
      try connection.write(Self.head + "data: a\n\ndata: b\n\n")
      server.waitForGate()
    }
    defer { server.close() }
    try daemon.answer(try daemon.value(answering: false), refusedBy: "bad_value")
    #expect(try daemon.value().string("payload") == "b")
    #expect(server.requests.count == 1)
  }

  @Test func `a temporary error of the server is retried, and reported for the connection`() throws {
    let server = try follow { _, connection, server in
      if server.requests.count < 3 { return try connection.answer("503 Service Unavailable") }
      try connection.write(Self.head + "data: a\n\n")
      server.waitForGate()
    }
    defer { server.close() }
    #expect(try daemon.value().string("payload") == "a")
    let states = daemon.all("report").compactMap { $0.string("state") }
    #expect(states.contains("away"))
    #expect(states.last == "connected")
    #expect(daemon.all("send").isEmpty)
  }

  @Test(arguments: [
    ("404 Not Found", "text/event-stream", "404 Not Found"),
    ("200 OK", "text/html", "the answer is text/html, no event stream"),
  ]) func `what cannot mend itself fails the signal`(status: String, type: String, message: String) throws {
    let server = try follow { _, connection, _ in
      try connection.answer(status, ["Content-Type: \(type)"], "data: 1\n\n")
    }
    defer { server.close() }
    let failure = try daemon.next("send")
    #expect(failure.string("event") == "failed")
    #expect(failure.nested("error")?.string("message") == message)
    try daemon.run(for: .milliseconds(300))
    #expect(server.requests.count == 1)
  }

  @Test func `no content is the end`() throws {
    let server = try follow { _, connection, _ in try connection.write("HTTP/1.1 204 No Content\r\n\r\n") }
    defer { server.close() }
    #expect(try daemon.next("send").string("event") == "completed")
  }

  @Test func `a stream whose head never comes is tried again`() throws {
    let server = try follow(["timeout": 1]) { _, connection, server in
      if server.requests.count == 1 { return server.waitForGate() }
      try connection.write(Self.head + "data: a\n\n")
      server.waitForGate()
    }
    defer { server.close() }
    #expect(try daemon.value().string("payload") == "a")
  }

  @Test func `a quiet stream stays open`() throws {
    let server = try follow(["timeout": 1]) { _, connection, server in
      try connection.write(Self.head)
      server.waitForGate()
      try connection.write("data: a\n\n")
      server.waitForGate(2)
    }
    defer { server.close() }
    try daemon.run(for: .seconds(3))
    server.openGate()
    #expect(try daemon.value().string("payload") == "a")
    #expect(server.requests.count == 1)
  }

  @Test func `an event longer than the limit fails the signal`() throws {
    let server = try follow(["limit": 1000]) { _, connection, server in
      try connection.write(Self.head + "data: \(String(repeating: "x", count: 2000))")
      server.waitForGate()
    }
    defer { server.close() }
    #expect(try daemon.next("send").nested("error")?.string("code") == "too_large")
  }

  @Test(arguments: [true, false])
  func `an event longer than the limit fails the signal behind events that wait for the daemon`(ends: Bool) throws {
    let server = try follow(["limit": 1000]) { _, connection, server in
      let small = (1...80).map { "id: \($0)\ndata: \($0)\n\n" }.joined()
      try connection.write(Self.head + small + "data: \(String(repeating: "x", count: 2000))\n\ndata: z\n\n")
      if ends { try connection.end() } else { server.waitForGate() }
    }
    defer { server.close() }
    for number in 1...80 { #expect(try daemon.value().string("payload") == "\(number)") }
    #expect(try daemon.next("send").nested("error")?.string("code") == "too_large")
  }

  @Test func `a source works from its first stream on, however many attempts that took`() throws {
    let server = try follow { _, connection, server in
      if server.requests.count == 1 { return try connection.answer("503 Service Unavailable") }
      try connection.write(Self.head)
      server.waitForGate()
    }
    defer { server.close() }
    let working = try daemon.next("report") { $0.string("signal") != nil }
    #expect(working.string("state") == "connected")
    #expect(server.requests.count == 2)
  }
}
