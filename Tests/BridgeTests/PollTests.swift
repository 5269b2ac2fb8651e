import JSON
import Linux
import Testing

@testable import Bridge

@Suite struct `Polled sources` {
  private let daemon: ScriptedDaemon

  init() throws { daemon = try ScriptedDaemon() }

  private func poll(
    _ settings: JSONObject = JSONObject(), position: String? = nil, _ handler: @escaping TestServer.Handler
  ) throws -> TestServer {
    let server = try TestServer(handler)
    var source: JSONObject = ["path": "/status", "every": 0.1]
    for member in settings.members { source[member.key] = member.value }
    try daemon.attach(
      [ScriptedDaemon.http(server.url)], [ScriptedDaemon.source(.object(source), position: position)])
    return server
  }

  @Test func `an unchanged answer sends nothing`() throws {
    let server = try poll { request, connection, server in
      // The fifth answer is another one.
      let tag = server.requests.count < 5 ? "\"a\"" : "\"b\""
      if request.headers["if-none-match"] == tag { return try connection.answer("304 Not Modified", ["ETag: \(tag)"]) }
      try connection.answer("200 OK", ["ETag: \(tag)", "Content-Type: application/json"], "{\"tag\":\(tag)}")
    }
    defer { server.close() }
    let first = try daemon.value()
    #expect(first.string("signal") == "g.status")
    #expect(first.string("payload") == #"{"tag":"a"}"#)
    #expect(first.string("position") == #"{"etag":"\"a\""}"#)
    #expect(first.nested("details")?.integer("status") == 200)
    let second = try daemon.value()
    #expect(second.string("payload") == #"{"tag":"b"}"#)
    #expect(server.requests.count >= 5)
    #expect(server.requests.allSatisfy { $0.target == "/status" && $0.method == "GET" })
  }

  @Test func `the position of the last value remains the condition`() throws {
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    let server = try poll(position: #"{"etag":"\"x\"","modified":"\#(date)"}"#) { request, connection, _ in
      try connection.answer("304 Not Modified")
    }
    defer { server.close() }
    try daemon.run(until: { server.requests.count >= 3 })
    #expect(daemon.all("send").isEmpty)
    #expect(server.requests[0].headers["if-none-match"] == "\"x\"")
    #expect(server.requests[0].headers["if-modified-since"] == date)
  }

  @Test func `a value that the daemon has not taken is asked for again`() throws {
    let server = try poll { request, connection, _ in
      if request.headers["if-none-match"] != nil { return try connection.answer("304 Not Modified") }
      try connection.answer("200 OK", ["ETag: x"], "1")
    }
    defer { server.close() }
    try daemon.answer(try daemon.value(answering: false), refusedBy: "busy")
    try daemon.answer(try daemon.value(answering: false), refusedBy: "bad_value")
    let count = server.requests.count
    try daemon.run(until: { server.requests.count > count + 1 })
    #expect(daemon.all("send").isEmpty)
  }

  @Test func `nothing is asked while the daemon has not answered`() throws {
    let server = try poll { _, connection, _ in try connection.answer("200 OK", [], "1") }
    defer { server.close() }
    let value = try daemon.value(answering: false)
    try daemon.run(for: .milliseconds(400))
    #expect(server.requests.count == 1)
    try daemon.answer(value)
    _ = try daemon.value()
  }

  @Test func `an outage is reported once`() throws {
    let server = try poll { _, connection, server in
      let count = server.requests.count
      if (2...4).contains(count) || count > 5 {
        return try connection.answer("503 Service Unavailable")
      }
      try connection.answer("200 OK", [], "\(count)")
    }
    defer { server.close() }
    #expect(try daemon.value().string("payload") == "1")
    let failure = try daemon.next("send")
    #expect(failure.string("event") == "failed")
    #expect(failure.nested("error")?.string("code") == "http")
    #expect(failure.nested("error")?.integer("status") == 503)
    #expect(try daemon.value().string("payload") == "5")
    #expect(try daemon.next("send").string("event") == "failed")
    try daemon.run(until: { server.requests.count > 8 })
    #expect(daemon.all("send").isEmpty)
  }

  @Test func `a source that works again without a value says so, and so does one that begins`() throws {
    let server = try poll(position: #"{"etag":"x"}"#) { request, connection, server in
      if server.requests.count == 3 { return try connection.answer("503 Service Unavailable") }
      try connection.answer("304 Not Modified")
    }
    defer { server.close() }
    #expect(try daemon.next("report") { $0["signal"] != nil }.string("state") == "connected")
    #expect(server.requests.count == 1)
    #expect(try daemon.next("send").string("event") == "failed")
    let working = try daemon.next("report") { $0["signal"] != nil }
    #expect(working.string("signal") == "g.status" && server.requests.count == 4)
    try daemon.run(until: { server.requests.count > 6 })
    #expect(!daemon.all("report").contains { $0["signal"] != nil })
  }

  @Test func `another failure within an outage is reported as well`() throws {
    let server = try poll { _, connection, server in
      switch server.requests.count {
      case 1...3: try connection.answer("503 Service Unavailable")
      case 4...6: try connection.answer("404 Not Found")
      default: try connection.answer("200 OK", [], "1")
      }
    }
    defer { server.close() }
    for status in [503, 404] { #expect(try daemon.next("send").nested("error")?.integer("status") == status) }
    #expect(try daemon.value().string("payload") == "1")
  }

  @Test(arguments: [false, true])
  func `an unchanged answer after a failure is sent again where the failure has taken its place`(
    isReplaced: Bool
  ) throws {
    let server = try poll(["repeat": .bool(isReplaced)]) { request, connection, server in
      if server.requests.count == 2 { return try connection.answer("503 Service Unavailable") }
      if request.headers["if-none-match"] != nil { return try connection.answer("304 Not Modified") }
      try connection.answer("200 OK", ["ETag: x"], "1")
    }
    defer { server.close() }
    #expect(try daemon.value().string("payload") == "1")
    #expect(try daemon.next("send").string("event") == "failed")
    if isReplaced { #expect(try daemon.value().string("payload") == "1") }
    let count = server.requests.count
    try daemon.run(until: { server.requests.count > count + 2 })
    #expect(daemon.all("send").isEmpty)
  }

  @Test func `a source that is removed asks no more, and one that is added asks`() throws {
    let server = try poll { request, connection, _ in try connection.answer("200 OK", [], request.target) }
    defer { server.close() }
    _ = try daemon.value()
    try daemon.write(["event": "declared", "removed": ["g.status"]])
    try daemon.write([
      "event": "declared",
      "added": [ScriptedDaemon.source(["path": "/other", "query": "a=b", "every": 60], signal: "g.other")],
    ])
    let value = try daemon.next("send") { $0.string("signal") == "g.other" }
    #expect(value.string("payload") == "/other?a=b")
    let count = server.requests.count
    try daemon.run(for: .milliseconds(400))
    #expect(server.requests.count == count)
  }

  @Test func `a source keeps its place where only the settings of its connection change`() throws {
    let server = try poll(["every": 60]) { request, connection, _ in
      if request.headers["if-none-match"] == "\"7\"" { return try connection.answer("304 Not Modified") }
      try connection.answer("200 OK", ["ETag: \"7\""], "1")
    }
    defer { server.close() }
    #expect(try daemon.value().string("payload") == "1")
    try daemon.write(["event": "declared", "connections": [ScriptedDaemon.http(server.url, ["timeout": 11])]])
    try daemon.run(until: { server.requests.contains { $0.headers["if-none-match"] == "\"7\"" } })
    try daemon.run(for: .milliseconds(100))
    #expect(daemon.all("send").isEmpty)
  }

  @Test func `a connection whose settings have changed is replaced`() throws {
    let server = try poll { _, connection, _ in try connection.answer("200 OK", [], "1") }
    let other = try TestServer { _, connection, _ in try connection.answer("200 OK", [], "2") }
    defer {
      server.close()
      other.close()
    }
    #expect(try daemon.value().string("payload") == "1")
    try daemon.write(["event": "declared", "connections": [ScriptedDaemon.http(other.url)]])
    #expect(try daemon.next("send") { $0.string("payload") == "2" }.string("signal") == "g.status")
  }
}
