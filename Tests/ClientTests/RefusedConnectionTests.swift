import TestSupport
import Testing

@Suite struct RefusedConnectionTests {
  @Test func `a daemon that refuses the connection is heard, also if it closes before the request`() throws {
    let reason = "more than 1 connections (limits.connections)"
    let daemon = try RefusingDaemon(#"{"reply":"error","error":{"code":"too_many","message":"\#(reason)"}}"#)
    defer { daemon.stop() }
    for _ in 0..<30 {
      let result = try Client.run("ping", socket: daemon.path)
      #expect(result.status == 75)
      #expect(result.errors.contains(reason), "\(result.errors)")
    }
  }
}
