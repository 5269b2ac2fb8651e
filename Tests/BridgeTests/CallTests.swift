import Glibc
import JSON
import Linux
import TestSupport
import Testing

@testable import Bridge

@Suite struct `Calls by HTTP` {
  private let daemon: ScriptedDaemon

  init() throws { daemon = try ScriptedDaemon() }

  /// A server that answers at once, to which the bridge is attached.
  private func serve(_ settings: JSONObject = JSONObject(), _ handler: @escaping TestServer.Handler) throws
    -> TestServer
  {
    let server = try TestServer(handler)
    try daemon.attach([ScriptedDaemon.http(server.url, settings)])
    return server
  }

  private func call(_ request: JSONValue, deadline: Double? = nil) throws -> JSONObject {
    try daemon.acknowledgement(of: daemon.give(request, deadline: deadline))
  }

  @Test func `a task becomes a request, and its answer the acknowledgement`() throws {
    let server = try serve(["headers": ["authorization": "Bearer s"]]) { _, connection, _ in
      try connection.answer("201 Created", ["Content-Type: application/json", "X-A: 1", "x-a: 2"], #"{"ok":true}"#)
    }
    defer { server.close() }
    let answer = try call([
      "method": "POST", "path": "/rooms/x", "query": ["a": "b"], "headers": ["x-room": "x"], "body": "[1]",
      "content_type": "application/json", "answer": "full",
    ])
    #expect(answer.string("result") == "done")
    #expect(answer.string("payload") == #"{"ok":true}"#)
    #expect(answer.string("content_type") == "application/json")
    #expect(answer.nested("details")?.integer("status") == 201)
    #expect(answer.nested("details")?.nested("headers")?.string("x-a") == "1, 2")
    let request = try #require(server.requests.first)
    #expect("\(request.method) \(request.target) \(request.text)" == "POST /rooms/x?a=b [1]")
    #expect(request.headers["idempotency-key"] == "key-1")
    #expect(request.headers["x-room"] == "x")
    #expect(request.headers["authorization"] == "Bearer s")
    #expect(request.headers["content-type"] == "application/json")
    #expect(request.headers["expect"] == nil)
  }

  @Test func `bytes that are no text come in Base64`() throws {
    let server = try serve { request, connection, _ in
      try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n")
      try connection.write(request.body)
    }
    defer { server.close() }
    let answer = try call(["path": "/", "body_base64": "//4="])
    #expect(answer.string("payload_base64") == "//4=")
  }

  @Test(
    arguments: [
      ("text/plain; charset=iso-8859-1", [0x67, 0x72, 0xFC, 0x6E], "grün"),
      ("text/plain;format=flowed; CharSet=\"Windows-1252\"", [0x80], "€"),
      ("application/json; charset=utf-16", [0xFF, 0xFE, 0x31, 0x00], "1"),
      // A server that says what it does not do.
      ("text/html; charset=iso-8859-1", [0xC3, 0xBC], "ü"),
      ("text/plain; charset=utf-8", [0xFC], nil),
      ("text/plain; charset=unheard-of", [0xFC], nil),
      ("text/plain; charset=//IGNORE", [0xFC], nil),
      ("text/plain", [0xFC], nil),
    ] as [(String, [UInt8], String?)])
  func `text is decoded by the charset of its type`(type: String, bytes: [UInt8], text: String?) throws {
    let server = try serve { _, connection, _ in
      try connection.write("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(bytes.count)\r\n\r\n")
      try connection.write(bytes)
    }
    defer { server.close() }
    let answer = try call(["path": "/"])
    #expect(answer.string("payload") == text)
    #expect((answer["payload_base64"] == nil) == (text != nil))
  }

  @Test(arguments: [(503, true), (500, true), (429, true), (425, true), (408, true), (404, false), (422, false)])
  func `a status of failure determines whether a retry makes sense`(status: Int, retry: Bool) throws {
    let server = try serve { _, connection, _ in try connection.answer("\(status) X", ["Retry-After: 7"], "no") }
    defer { server.close() }
    let answer = try call(["path": "/"])
    #expect(answer.string("result") == "failed")
    #expect(answer.nested("error")?.string("code") == "http")
    #expect(answer.nested("error")?.integer("status") == status)
    #expect(answer.nested("error")?.string("message") == HTTPStatus.text(of: status))
    #expect(answer.flag("retry") == retry)
    #expect(answer.integer("after") == 7)
  }

  @Test func `no more requests run than concurrent allows, and connections are reused`() throws {
    let server = try serve(["concurrent": 3]) { _, connection, server in
      // The first three wait for each other.
      _ = server.counts.wait(until: .now() + .seconds(20)) { $0.requests.count >= 3 ? true : nil }
      try connection.answer()
    }
    defer { server.close() }
    let tasks = try (0..<60).map { _ in try daemon.give(["path": "/"]) }
    for task in tasks { #expect(try daemon.acknowledgement(of: task).string("result") == "done") }
    server.counts.withLock { counts in
      #expect(counts.mostAtOnce == 3)
      #expect(counts.requests.count == 60)
      // And one to find out whether it is there.
      #expect(counts.connections <= 4)
    }
  }

  @Test func `one host that is stuck delays no other`() throws {
    let stuck = try TestServer { _, connection, server in
      server.waitForGate()
      try connection.answer()
    }
    let quick = try TestServer { _, connection, _ in try connection.answer() }
    defer {
      stuck.close()
      quick.close()
    }
    try daemon.attach([ScriptedDaemon.http(stuck.url), ScriptedDaemon.http(quick.url, name: "quick")])
    let waiting = try (0..<64).map { _ in try daemon.give(["path": "/"]) }
    let task = try daemon.give(["path": "/"], connection: "quick")
    #expect(try daemon.acknowledgement(of: task).string("result") == "done")
    #expect(daemon.all("acknowledge").isEmpty)
    stuck.openGate()
    for task in waiting { #expect(try daemon.acknowledgement(of: task).string("result") == "done") }
  }

  @Test func `redirections stay on their host`() throws {
    let other = try TestServer { _, connection, _ in try connection.answer() }
    let address = other.url
    let server = try serve(["headers": ["authorization": "Bearer s"]]) { request, connection, _ in
      switch request.target {
      case "/here": try connection.answer("302 Found", ["Location: /there"])
      case "/moved": try connection.answer("301 Moved Permanently", ["Location: /there"])
      case "/unchanged": try connection.answer("304 Not Modified")
      case "/again": try connection.answer("307 Temporary Redirect", ["Location: /there"])
      case "/away": try connection.answer("302 Found", ["Location: \(address)/x?token=secret"])
      case "/round": try connection.answer("302 Found", ["Location: /round"])
      default: try connection.answer("200 OK", [], "\(request.method) \(request.target) \(request.text)")
      }
    }
    defer {
      server.close()
      other.close()
    }
    #expect(try call(["path": "/here", "method": "POST", "body": "x"]).string("payload") == "GET /there ")
    #expect(try call(["path": "/again", "method": "POST", "body": "x"]).string("payload") == "POST /there x")
    #expect(try call(["path": "/moved", "method": "POST", "body": "x"]).string("payload") == "POST /there x")
    #expect(try call(["path": "/unchanged"]).nested("error")?.integer("status") == 304)
    let away = try call(["path": "/away"])
    #expect(away.string("result") == "failed")
    #expect(away.nested("error")?.integer("status") == 302)
    #expect(away.nested("error")?.string("message") == "it redirects to \(address), which is not followed")
    #expect(!away.flag("retry"))
    #expect(other.requests.isEmpty)
    #expect(try call(["path": "/round"]).nested("error")?.string("message") == "more than 5 redirections")
    #expect(server.requests.count { $0.target == "/round" } == 6)
  }

  @Test func `a peer that never answers ends by the time limit`() throws {
    let server = try serve(["timeout": 0.3]) { _, _, server in server.waitForGate() }
    defer { server.close() }
    let answer = try call(["path": "/"])
    #expect(answer.nested("error")?.string("code") == "timeout")
    #expect(answer.flag("retry"))
  }

  @Test func `a peer that answers byte after byte ends by the time limit`() throws {
    let server = try serve(["timeout": 0.5]) { _, connection, _ in
      try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")
      while true {
        try connection.write("x")
        usleep(20_000)
      }
    }
    defer { server.close() }
    #expect(try call(["path": "/"]).nested("error")?.string("code") == "timeout")
  }

  @Test(.enabled(if: TestAmount.number("SLOW_PEERS") != nil, "SLOW_PEERS is not set: it takes half a minute"))
  func `a peer that answers byte after byte is given up long before a long time limit`() throws {
    let server = try serve(["timeout": 300]) { _, connection, _ in
      try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
      while true {
        try connection.write("x")
        sleep(1)
      }
    }
    defer { server.close() }
    let task = try daemon.give(["path": "/"])
    try daemon.run(for: .seconds(40))
    #expect(try daemon.acknowledgement(of: task).nested("error")?.string("code") == "timeout")
  }

  @Test func `a deadline of the daemon is kept, also in the queue`() throws {
    let server = try serve(["concurrent": 1]) { _, connection, server in
      server.waitForGate()
      try connection.answer()
    }
    defer { server.close() }
    let first = try daemon.give(["path": "/"], deadline: 0.3)
    let second = try daemon.give(["path": "/"], deadline: 0.2)
    #expect(try daemon.acknowledgement(of: first).nested("error")?.string("code") == "timeout")
    #expect(try daemon.acknowledgement(of: second).nested("error")?.string("code") == "timeout")
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [true, false]) func `an answer of a gigabyte ends at the limit`(isAnnounced: Bool) throws {
    let sent = Monitor(0)
    let server = try serve(["limit": 100_000]) { _, connection, _ in
      let length = isAnnounced ? "Content-Length: \(1 << 30)\r\n" : ""
      try connection.write("HTTP/1.1 200 OK\r\n\(length)\r\n")
      let piece = String(repeating: "x", count: 10_000)
      for _ in 0..<107_374 {
        try connection.write(piece)
        sent.withLock { $0 += 10_000 }
      }
    }
    defer { server.close() }
    let answer = try call(["path": "/"])
    #expect(answer.nested("error")?.string("code") == "too_large")
    #expect(!answer.flag("retry"))
    // What the kernel's buffers hold, and no more.
    #expect(sent.withLock { $0 } < 50 << 20)
  }

  @Test func `the length in an answer to HEAD is that of a body that does not come`() throws {
    let server = try serve(["limit": 1000]) { _, connection, _ in
      try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5000000\r\n\r\n")
    }
    defer { server.close() }
    #expect(try call(["method": "HEAD", "path": "/"]).string("result") == "done")
  }

  @Test func `an answer that makes too long a line is too large`() throws {
    let server = try serve(["limit": 4_000_000]) { _, connection, _ in
      try connection.answer("200 OK", [], String(repeating: "\"", count: 600_000))
    }
    defer { server.close() }
    #expect(try call(["path": "/"]).nested("error")?.string("code") == "too_large")
  }

  @Test func `a head without an end ends at its limit`() throws {
    let server = try serve { _, connection, _ in
      try connection.write("HTTP/1.1 200 OK\r\n")
      for number in 0..<1_000_000 { try connection.write("X-\(number): \(String(repeating: "y", count: 1000))\r\n") }
    }
    defer { server.close() }
    #expect(try call(["path": "/"]).nested("error")?.string("code") == "too_large")
  }

  @Test func `an address without a server is a failure to connect, which is reported once, as is its end`() throws {
    try daemon.attach([ScriptedDaemon.http("http://127.0.0.1:1", ["headers": ["authorization": "Bearer geheim"]])])
    for _ in 0..<3 {
      let answer = try call(["path": "/"])
      #expect(answer.nested("error")?.string("code") == "connect")
      #expect(answer.flag("retry"))
    }
    let reports = daemon.all("report")
    #expect(reports.count == 1)
    #expect(reports.first?.string("state") == "away")
    #expect(daemon.messages.count { $0.contains("is away") } == 1)
    #expect(!daemon.messages.contains { $0.contains("geheim") })
  }

  @Test func `a connection that breaks in an answer is a failure to connect`() throws {
    let server = try serve { _, connection, _ in
      try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
      try connection.end()
    }
    defer { server.close() }
    #expect(try call(["path": "/"]).nested("error")?.string("code") == "connect")
  }

  @Test func `what is no HTTP is a failure`() throws {
    let server = try serve { _, connection, _ in
      try connection.write("220 smtp.example.org ESMTP\r\n")
      try connection.end()
    }
    defer { server.close() }
    let answer = try call(["path": "/"])
    #expect(answer.string("result") == "failed")
  }

  @Test func `a cancelled task is given up`() throws {
    let server = try serve(["concurrent": 1]) { request, connection, server in
      if request.target == "/first" { server.waitForGate() }
      try connection.answer()
    }
    defer { server.close() }
    let first = try daemon.give(["path": "/first"])
    let second = try daemon.give(["path": "/second"])
    let third = try daemon.give(["path": "/third"])
    try daemon.run(until: { server.requests.count == 1 })
    try daemon.write(["event": "cancel", "task": .number(Double(second))])
    try daemon.write(["event": "cancel", "task": .number(Double(first))])
    #expect(try daemon.acknowledgement(of: third).string("result") == "done")
    #expect(daemon.all("acknowledge").isEmpty)
    #expect(server.requests.map(\.target) == ["/first", "/third"])
  }

  @Test func `proxies of the environment count for nothing`() throws {
    let server = try serve { _, connection, _ in try connection.answer() }
    defer { server.close() }
    CurrentProcess.setEnvironment("http_proxy", "http://127.0.0.1:1")
    CurrentProcess.setEnvironment("ALL_PROXY", "http://127.0.0.1:1")
    defer {
      CurrentProcess.setEnvironment("http_proxy", nil)
      CurrentProcess.setEnvironment("ALL_PROXY", nil)
    }
    #expect(try call(["path": "/"]).string("result") == "done")
  }

  @Test func `a proxy of the configuration is asked`() throws {
    let proxy = try TestServer { _, connection, _ in try connection.answer("200 OK", [], "by proxy") }
    defer { proxy.close() }
    try daemon.attach([ScriptedDaemon.http("http://nowhere.invalid", ["proxy": .string(proxy.url)])])
    #expect(try call(["path": "/x"]).string("payload") == "by proxy")
    #expect(proxy.requests.last?.target == "http://nowhere.invalid/x")
  }
}
