import Foundation
import TestSupport
import Testing

@testable import Daemon

/// A program that replaces another starts once that one has exited, with all its children.
@Suite struct `Programs that follow each other` {
  @Test(arguments: [
    "x: {switch: {on: in, cases: {1: PROGRAM, 2: PROGRAM}, unmatched: ignore}, replay: 9}",
    "x: {from: in, pipe: [{flat_map: {latest: PROGRAM}}], replay: 9}",
    "x: {from: in, pipe: [{call: {action: run, strategy: latest}}], replay: 9}",
    "x: {from: in, pipe: [{flat_map: {latest: {value: 1, pipe: [{merge: PROGRAM}, {filter: . == \"ready\"}]}}}], replay: 9}",
  ])
  func `the next one starts when the process group of the last one is gone`(signal: String) throws {
    let folder = TemporaryFolder()
    let log = folder("log")
    // The program exits at once when asked to; its child takes longer.
    let script =
      "echo begin >> \(log); (trap 'sleep 0.3; echo end >> \(log); exit' TERM; echo ready; while :; do sleep 0.02; done) & "
      + "trap exit TERM; wait"
    let program = "exec: [sh, -c, \"\(script)\"]"
    let daemon = try HostKind.inProcess.start(
      """
      g:
        signals:
          in: {input: {}}
          \(signal.replacing("PROGRAM", with: "{\(program)}"))
        actions:
          run: {\(program)}
      """)
    let client = try daemon.connect()
    for number in 1...2 {
      try client.say("send g.in \(number)")
      try daemon.wait(for: "g.x", values: UInt64(number))
    }
    #expect(try String(contentsOfFile: log, encoding: .utf8) == "begin\nend\nbegin\n")
  }

  @Test func `one that waits for another and is not wanted any more does not start`() throws {
    let folder = TemporaryFolder()
    let log = folder("log")
    let first = "trap 'sleep 0.3; echo end >> \(log); exit' TERM; echo ready; while :; do sleep 0.02; done"
    let daemon = try HostKind.inProcess.start(
      """
      g:
        signals:
          in: {input: {}}
          x:
            switch:
              on: in
              cases:
                1: {exec: [sh, -c, "\(first)"]}
                2: {exec: [sh, -c, "echo second >> \(log); echo second"]}
                3: {exec: [sh, -c, "echo third >> \(log); echo ready; sleep 1000"]}
              unmatched: ignore
            replay: 9
      """)
    let client = try daemon.connect()
    try client.say("send g.in 1")
    try daemon.wait(for: "g.x", values: 1)
    try client.say("send g.in 2", "send g.in 3")
    try daemon.wait(for: "g.x", values: 2)
    #expect(try daemon.values(of: "g.x") == ["ready", "ready"])
    #expect(try String(contentsOfFile: log, encoding: .utf8) == "end\nthird\n")
  }
}
