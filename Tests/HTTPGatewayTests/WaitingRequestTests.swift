import Foundation
import Linux
import TestSupport
import Testing

/// Requests that wait at a socket of the service manager while the gateway cannot start.
@Suite struct WaitingRequestTests {
  private let folder = TemporaryFolder()

  @Test func `they are told so for some seconds, so that the next start is later`() throws {
    let listener = try TCPListener(host: "127.0.0.1", port: 0)
    let waiting = try (0..<3).map { _ in
      let connection = try TestConnection(port: listener.port)
      try connection.request("GET", "/health")
      return connection
    }
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = [
      "-c", #"export LISTEN_PID=$$ LISTEN_FDS=1; exec 3<&0 "$0" "$@" </dev/null"#,
      BuiltProgram.file(named: "signalbox-http").path, "--token-file", folder("tokens"),
    ]
    process.standardInput = FileHandle(fileDescriptor: listener.descriptor.number, closeOnDealloc: false)
    process.standardError = FileHandle.nullDevice
    let begin = ContinuousClock.now
    try process.run()
    let late = try TestConnection(port: listener.port)
    try late.request("PUT", "/signals/a.b", body: "1")
    for connection in waiting + [late] {
      let answer = try connection.answer()
      #expect(answer.status == 503 && answer.headers["content-type"] == "text/plain; charset=utf-8")
      #expect(answer.body == "the gateway failed to start; see its log\n")
      #expect(connection.isClosed())
    }
    process.waitUntilExit()
    #expect(process.terminationStatus == 78)
    #expect(ContinuousClock.now - begin > .seconds(2.9))
  }

  @Test func `without any it ends at once`() throws {
    let process = Process()
    process.executableURL = BuiltProgram.file(named: "signalbox-http")
    process.arguments = ["--token-file", folder("tokens")]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 78)
  }
}
