import Foundation
import TestSupport
import Testing

struct CommandLineTests {
  @Test func `help has examples and lists the exit statuses`() throws {
    let result = try Client.run("--help")
    #expect(result.status == 0)
    for part in ["Usage: signalbox COMMAND", "subscribe  ", "signalbox send climate.raw", "Exit status:", "  78  "] {
      #expect(result.output.contains(part))
    }
  }

  @Test(arguments: [
    "send", "subscribe", "get", "values", "wait", "call", "list", "describe", "stats", "top", "connections", "cluster",
    "ping",
    "reload",
    "restart", "watch", "record", "replay", "init", "dev", "check", "test", "simulate", "graph", "view", "operators",
    "schema",
    "completions",
    "manual", "help",
  ])
  func `every command explains itself`(command: String) throws {
    let help = try Client.run(command, "--help")
    #expect(help.status == 0)
    #expect(help.output.contains("Examples:\n  "))
    #expect(try Client.run("help", command).output == help.output)
  }

  @Test(arguments: [
    (["sned", "a.b", "1"], "unknown command sned; did you mean send?"),
    (["get", "--jsn", "a.b"], "did you mean --json?"),
    ([], "missing command"), (["get"], "missing operand; usage: signalbox get [OPTION…] SIGNAL|PATTERN…"),
    (["ping", "x"], "unexpected operand"), (["send", "a.b"], "missing VALUE"),
    (["send", "a.b", "1", "2", "--message-id", "x"], "--message-id requires exactly one VALUE"),
    (["send", "a.b", "-", "--message-id", "x"], "--message-id requires exactly one VALUE"),
    (["send", "a.b", "1", "--message-id", ""], "--message-id must be 1 to 128 bytes long, not 0"),

    (["subscribe", "--take", "0", "a.b"], "--take must be an integer, 1 or more, not 0"),
    (
      ["subscribe", "--take", "9223372036854775808", "a.b"],
      "--take must be an integer, 1 or more, and at most 9223372036854775807, not 9223372036854775808"
    ),
    (
      ["subscribe", "--replay", "99999999999999999999", "a.b"],
      "--replay must be an integer, 0 or more, and at most 18446744073709551615, not 99999999999999999999"
    ),
    (["wait", "--timeout", "5", "a.b"], "--timeout must be a duration"),
    (["subscribe", "a**"], "a** is not a signal's name"), (["values", "--step", "1m"], "--step requires --history"),
  ])
  func `a wrong command line is explained`(arguments: [String], message: String) throws {
    let result = try Client.run(arguments)
    #expect(result.status == 64)
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("signalbox: "))
    #expect(result.errors.contains(message))
  }

  @Test func `the version is printed, with the commit where the build knows it`() throws {
    let version = try Client.run("--version").output
    let known = try Client.run(program: Committed.path("scripts/version"), []).output.prefix { $0 != "\n" }
    let commit = try #require(version.wholeMatch(of: /signalbox ([0-9.]+)( \([0-9a-f]{12}(-dirty)?\))?\n/))
    #expect(commit.1 == known)
  }

  @Test func `a daemon that is not running is reported`() throws {
    let result = try Client.run("ping", "--socket", "/nonexistent/socket")
    #expect(result.status == 69)
    #expect(result.errors.contains("/nonexistent/socket: No such file or directory; is signalboxd running?"))
  }

  @Test func `a standard stream that is closed is no socket`() throws {
    let daemon = try RunningDaemon(
      """
      signalbox: 1
      graphs:
        g:
          signals:
            victim: {property: {initial: 0}}
            told: {property: {initial: {op: send, signal: g.victim, value: 1}}}
      """)
    defer { daemon.stop() }
    let program = Client.program.path
    func status(_ command: String) throws -> Int32 {
      try Client.run(program: "/bin/sh", ["-c", "\(program) \(command)"], socket: daemon.socket).status
    }
    #expect(try status("subscribe --take 1 g.told >&-") == 73)
    #expect(try status("send g.told - <&-") == 66)
    #expect(try status("get g.told 2>&-") == 0)
    #expect(try Client.run("get", "g.victim", socket: daemon.socket).output == "0\n")
  }
}
