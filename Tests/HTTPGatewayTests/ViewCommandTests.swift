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
    let (process, port, token) = try view(daemon, ["--config", daemon.configuration], folder)
    // It listens before it prints that.
    let answer = try TestConnection(port: port).ask("GET", "/signals/climate.level", token: token)
    #expect(answer.body == "5\n")
    #expect(try TestConnection(port: port).ask("GET", "/signals/climate.level").status == 401)
    // The configuration names the folder of the past.
    _ = try TestConnection(port: port).ask("PUT", "/signals/kept.level", token: token, body: "8")
    let why = try TestConnection(port: port).ask("GET", "/signals/kept.level/why", token: token)
    #expect(why.status == 200 && why.body.contains(#""value":8"#), "\(why)")
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test(arguments: [false, true])
  func `it draws the graphs of the daemon without being told its configuration`(isDurable: Bool) throws {
    let folder = TemporaryFolder()
    let kept = "\n  kept:\n    durable: true\n    signals: {level: {property: {initial: 7}}}"
    let state = "\nserver: {state: \(folder("state"))}\n"
    let daemon = try RunningDaemon(Example.configuration + (isDurable ? kept + state : ""))
    defer { daemon.stop() }
    let (process, port, token) = try view(daemon, [], folder)
    let drawing = try TestConnection(port: port).ask("GET", "/graph.svg", token: token)
    #expect(drawing.status == 200 && drawing.body.contains("climate.level"), "\(drawing)")
    process.interrupt()
    process.waitUntilExit()
  }

  /// Starts the command, and returns its port and token.
  private func view(
    _ daemon: RunningDaemon, _ options: [String], _ folder: TemporaryFolder
  ) throws -> (process: Process, port: UInt16, token: String) {
    let process = Process()
    process.executableURL = BuiltProgram.file(named: "signalbox")
    process.arguments = ["view", "--socket", daemon.socket] + options
    // On a desktop, it must not open a browser.
    process.environment = ["XDG_RUNTIME_DIR": folder.path, "PATH": "/usr/bin:/bin", "BROWSER": "/bin/true"]
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let address = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let parts = try #require(address.wholeMatch(of: ##/http://127\.0\.0\.1:(\d+)/#token=([0-9a-f]{32})\n/##))
    return (process, try #require(UInt16(parts.1)), String(parts.2))
  }
}
