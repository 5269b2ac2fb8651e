import Foundation
import TestSupport
import Testing

/// The exit statuses of the functions for bash, by the code of an error.
struct BashStatusTests {
  @Test func `are those of the command line`() throws {
    let lines = try Committed.lines(of: "clients/bash/signalbox.bash")
    let table = lines.compactMap { $0.wholeMatch(of: #/  \[([a-z_]+)\]=(\d+)/#) }.map {
      (code: String($0.1), status: Int32($0.2))
    }
    #expect(table.count > 20)
    for (code, status) in table where code != "connection_lost" {
      let daemon = try FakeDaemon { _ in
        [#"{"reply":"error","id":1,"op":"get","error":{"code":"\#(code)","message":"because"}}"#]
      }
      defer { daemon.stop() }
      #expect(try Client.run("get", "a.b", socket: daemon.path).status == status, "\(code)")
    }
    // A lost connection and a code of a later daemon have no case in the protocol.
    let closing = try FakeDaemon { _ in nil }
    defer { closing.stop() }
    #expect(try Client.run("get", "a.b", socket: closing.path).status == 69)
    let newer = try FakeDaemon { _ in [#"{"reply":"error","id":1,"error":{"code":"of_tomorrow","message":"x"}}"#] }
    defer { newer.stop() }
    #expect(try Client.run("get", "a.b", socket: newer.path).status == 76)
    #expect(lines.contains { $0.contains("exit \"${SIGNALBOX_STATUS[$1]:-76}\"") })
  }
}
