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

  /// A device in the program's own process: register 7 has 1234 at first, and there are none above 99.
  private static let device = """
    import os, socket, struct, threading
    registers = {7: 1234}
    listener = socket.create_server(("127.0.0.1", 0))
    def serve():
        while True:
            link, _ = listener.accept()
            stream = link.makefile("rb")
            head = stream.read(6)
            unit, function, register, word = struct.unpack(">BBHH", stream.read(6))
            if register > 99:
                answer = struct.pack(">BBB", unit, function | 0x80, 2)
            elif function == 3:
                answer = struct.pack(">BBBH", unit, function, 2, registers.get(register, 0))
            else:
                registers[register] = word
                answer = struct.pack(">BBHH", unit, function, register, word)
            link.sendall(head[:4] + struct.pack(">H", len(answer)) + answer)
            link.close()
    threading.Thread(target=serve, daemon=True).start()
    os.write(1, str(listener.getsockname()[1]).encode())
    os.close(1)

    """

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: python), "python3 is not installed"))
  func `it polls registers and writes them`() throws {
    let daemon = try ScriptedDaemon(startsBridge: false)
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: Self.python)
    process.arguments = ["-c", Self.device + (try Self.program())]
    process.environment = [
      "SIGNALBOX_SOCKET": daemon.socket, "PYTHONPATH": Committed.path("clients/python"), "PYTHONDONTWRITEBYTECODE": "1",
    ]
    process.standardOutput = output
    try process.run()
    // It may have been started with SIGTERM blocked, as threads of tests have it.
    defer {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    let port = try #require(Double(String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)))
    let attach = try daemon.next("attach")
    #expect(attach["kinds"] == ["modbus"])
    try daemon.write([
      "reply": "attach", "id": attach["id"] ?? .null,
      "connections": [
        ["connection": "plant", "kind": "modbus", "settings": ["host": "127.0.0.1", "port": .number(port), "unit": 1]]
      ],
      "declarations": [ScriptedDaemon.source(["register": 7, "every": 0.1], connection: "plant")],
    ])
    for _ in 0..<2 { #expect(try daemon.value()["value"] == 1234) }
    let task = try daemon.give(["register": 7, "value": 55], connection: "plant")
    #expect(try daemon.acknowledgement(of: task).string("result") == "done")
    try daemon.run(until: { (try? daemon.value()["value"]) == 55 })
    for request: JSONValue in [["register": 100, "value": 1], ["register": 7, "value": 70_000]] {
      let failed = try daemon.acknowledgement(of: daemon.give(request, connection: "plant"))
      #expect(failed.nested("error")?.string("code") == "modbus")
      #expect(!failed.flag("retry"))
    }
    // A register that the device refuses ends its source, and nothing else.
    let refused = ScriptedDaemon.source(["register": 100, "every": 0.1], signal: "g.refused", connection: "plant")
    try daemon.write(["event": "declared", "added": [refused]])
    let failure = try daemon.next("send") { $0.string("event") == "failed" }
    #expect(failure.string("signal") == "g.refused")
    try daemon.write(["event": "declared", "removed": ["g.refused"]])
    #expect(try daemon.value()["value"] == 55)
    try daemon.write(["event": "declared", "removed": ["g.status"]])
    daemon.hangUp()
    #expect(try daemon.next("attach").string("op") == "attach")
  }
}
