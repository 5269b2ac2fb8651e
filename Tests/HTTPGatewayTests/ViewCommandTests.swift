import Foundation
import TestSupport
import Testing

/// `signalbox view`, which becomes the user's own gateway.
@Suite struct ViewCommandTests {
  @Test func `it prints an address that lets in, and ends with an interrupt`() throws {
    let folder = TemporaryFolder()
    let daemon = try RunningDaemon(
      Example.configuration + """

          kept:
            durable: true
            signals: {level: {property: {initial: 7}}}
        server: {state: \(folder("state"))}
        """)
    defer { daemon.stop() }
    let process = Process()
    process.executableURL = BuiltProgram.file(named: "signalbox")
    process.arguments = ["view", "--socket", daemon.socket, "--config", daemon.configuration]
    // On a desktop, it must not open a browser.
    process.environment = ["XDG_RUNTIME_DIR": folder.path, "PATH": "/usr/bin:/bin", "BROWSER": "/bin/true"]
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let address = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let parts = try #require(address.wholeMatch(of: ##/http://127\.0\.0\.1:(\d+)/#token=([0-9a-f]{64})\n/##))
    let port = try #require(UInt16(parts.1))
    // It listens before it prints that.
    let answer = try TestConnection(port: port).ask("GET", "/signals/climate.level", token: String(parts.2))
    #expect(answer.body == "5\n")
    #expect(try TestConnection(port: port).ask("GET", "/signals/climate.level").status == 401)
    // The configuration names the folder of the past.
    _ = try TestConnection(port: port).ask("PUT", "/signals/kept.level", token: String(parts.2), body: "8")
    let why = try TestConnection(port: port).ask("GET", "/signals/kept.level/why", token: String(parts.2))
    #expect(why.status == 200 && why.body.contains(#""value":8"#), "\(why)")
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }
}
