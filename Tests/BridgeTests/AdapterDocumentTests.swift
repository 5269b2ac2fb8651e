import Foundation
import JSON
import TestSupport
import Testing

@testable import Bridge

/// The adapter of the page on adapters, as a program of its own.
@Suite struct `The adapter in the documentation` {
  private static let python = "/usr/bin/python3"

  private static func program() throws -> String {
    let lines = try Committed.lines(of: "docs/adapters.md")
    let start = try #require(lines.firstIndex(of: "```python"))
    let end = try #require(lines[start...].firstIndex(of: "```"))
    return lines[(start + 1)..<end].joined(separator: "\n")
  }

  @Test func `it has forty lines of code`() throws {
    let code = try Self.program().split(separator: "\n").filter { !$0.hasPrefix("import") && !$0.hasPrefix("from") }
    #expect(code.count <= 40)
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: python), "python3 is not installed"))
  func `it polls sources and carries out tasks`() throws {
    let server = try TestServer { request, connection, _ in
      switch request.target {
      case "/status": try connection.answer("200 OK", ["Content-Type: application/json"], #"{"up":true}"#)
      case "/rooms/x?a=b":
        try connection.answer("200 OK", ["Content-Type: text/plain"], "\(request.method) \(request.text)")
      default: try connection.answer("503 Service Unavailable")
      }
    }
    defer { server.close() }
    let daemon = try ScriptedDaemon(startsBridge: false)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.python)
    process.arguments = ["-c", try Self.program()]
    process.environment = [
      "SIGNALBOX_SOCKET": daemon.socket, "PYTHONPATH": Committed.path("clients/python"), "PYTHONDONTWRITEBYTECODE": "1",
    ]
    try process.run()
    // It may have been started with SIGTERM blocked, as threads of tests have it.
    defer {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    let attach = try daemon.next("attach")
    #expect(attach["kinds"] == ["http"])
    try daemon.write([
      "reply": "attach", "id": attach["id"] ?? .null, "connections": [ScriptedDaemon.http(server.url)],
      "declarations": [ScriptedDaemon.source(["path": "/status", "every": 0.2])],
    ])
    for _ in 0..<2 { #expect(try daemon.value().string("payload") == #"{"up":true}"#) }
    let task = try daemon.give(["method": "POST", "path": "/rooms/x", "query": ["a": "b"], "body": "hello"])
    let done = try daemon.acknowledgement(of: task)
    #expect(done.string("payload") == "POST hello")
    #expect(done.string("content_type") == "text/plain")
    let failed = try daemon.acknowledgement(of: daemon.give(["method": "GET", "path": "/other"]))
    #expect(failed.nested("error")?.integer("status") == 503)
    #expect(failed.flag("retry"))
    try daemon.write(["event": "declared", "removed": ["g.status"]])
    daemon.hangUp()
    #expect(try daemon.next("attach").string("op") == "attach")
  }
}
