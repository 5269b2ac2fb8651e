import Foundation
import TestSupport
import Testing

/// The manual pages, as printed by both programs.
struct ManualTests {
  @Test(arguments: ["signalbox", "signalbox.yaml"])
  func `the committed pages are what the client prints`(name: String) throws {
    let printed = try Client.run("manual", name).output
    #expect(printed.hasPrefix(".TH \"\(name.uppercased())\""))
    let section = name == "signalbox" ? 1 : 5
    let path = "share/man/man\(section)/\(name).\(section)"
    try Committed.expect(printed, at: path)
  }

  @Test func `the committed page is what the daemon prints`() throws {
    let printed = try Client.run(program: Client.daemonPath, ["--manual"]).output
    #expect(printed.hasPrefix(".TH \"SIGNALBOXD\" \"8\""))
    let path = "share/man/man8/signalboxd.8"
    try Committed.expect(printed, at: path)
  }

  @Test func `the committed page is what the gateway prints`() throws {
    let program = BuiltProgram.file(named: "signalbox-http").path
    let printed = try Client.run(program: program, ["--manual"]).output
    #expect(printed.hasPrefix(".TH \"SIGNALBOX\\-HTTP\" \"8\""))
    try Committed.expect(printed, at: "share/man/man8/signalbox-http.8")
  }

  @Test func `without a name it is the client's own page`() throws {
    #expect(try Client.run("manual").output == Client.run("manual", "signalbox").output)
    #expect(try Client.run("manual", "x").status == 64)
  }

  @Test func `every command and operator has its place in a page`() throws {
    let client = try Client.run("manual").output
    for command in ["send", "subscribe", "check", "test", "manual"] {
      #expect(client.contains(".SS \"signalbox \(command) "))
    }
    let file = try Client.run("manual", "signalbox.yaml").output
    for line in try Client.run("operators").output.split(separator: "\n") {
      #expect(file.contains(".SS \"\(line.split(separator: "\t")[0])\""))
    }
  }
}
