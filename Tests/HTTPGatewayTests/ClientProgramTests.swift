import Linux
import Testing

@testable import HTTPGateway

/// The client program run by the gateway: bounded in number, time and output, without blocking it.
@Suite struct ClientProgramTests {
  private let loop: EventLoop
  private let poller: Poller
  private let attachment: PollerAttachment

  init() throws {
    loop = try EventLoop()
    poller = try Poller()
    attachment = try poller.attach(to: loop)
  }

  private typealias Ending = Result<ClientRun.Outcome, ClientRun.Failure>

  private func program(_ limits: ClientProgram.Limits = .init()) -> ClientProgram {
    ClientProgram(path: "/bin/sh", limits: limits, loop: loop, poller: poller)
  }

  /// Runs a script to its end.
  private func ending(of script: String, _ limits: ClientProgram.Limits = .init()) throws -> Ending {
    let program = program(limits)
    var ending: Ending?
    let run = try program.run(["-c", script]) { ending = $0 }
    while ending == nil || program.count > 0 { try loop.runIteration() }
    withExtendedLifetime(run) {}
    return try #require(ending)
  }

  @Test func `its output, its status and its complaint are reported`() throws {
    let outcome = try ending(of: "echo out; echo complaint >&2; exit 3").get()
    #expect(outcome == ClientRun.Outcome(status: 3, output: Array("out\n".utf8), complaint: "complaint\n"))
  }

  @Test func `nothing of a long output is lost, and of a long complaint the beginning is kept`() throws {
    let outcome = try ending(of: "head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2").get()
    #expect(outcome.output.count == 1_000_000 && outcome.complaint.utf8.count == 4096)
  }

  @Test func `it finds nothing of the gateway but a bare environment`() throws {
    let outcome = try ending(of: "ls /proc/self/fd | wc -l; pwd").get()
    // Its standard streams, and the folder that is listed
    #expect(String(decoding: outcome.output, as: UTF8.self) == "4\n/\n")
  }

  @Test func `one that takes too long is killed`() throws {
    let limits = ClientProgram.Limits(time: .milliseconds(20))
    guard case .failure(.timeout) = try ending(of: "exec sleep 1000", limits) else {
      return #expect(Bool(false), "it was not")
    }
  }

  @Test(arguments: ["exec cat /dev/zero", "head -c 1001 /dev/zero"])
  func `one that puts out too much is killed`(_ script: String) throws {
    guard case .failure(.tooLong(limit: 1000)) = try ending(of: script, .init(output: 1000)) else {
      return #expect(Bool(false), "it was not")
    }
  }

  @Test func `one that is killed by others reports that`() throws {
    guard case .failure(.killed(9)) = try ending(of: "kill -9 $$") else {
      return #expect(Bool(false), "it does not")
    }
  }

  @Test func `one that is cancelled reports nothing, and counts until it is gone`() throws {
    let program = program(.init(runs: 1))
    let run = try program.run(["-c", "exec sleep 1000"]) { _ in #expect(Bool(false), "it reported") }
    #expect(throws: ClientRun.Failure.self) { try program.run(["-c", "true"]) { _ in } }
    run.cancel()
    while program.count > 0 { try loop.runIteration() }
    var status: Int32?
    _ = try program.run(["-c", "exit 4"]) { ending in status = try? ending.get().status }
    while status == nil { try loop.runIteration() }
    #expect(status == 4)
  }

  @Test func `one that is not there does not start`() throws {
    let program = ClientProgram(path: "/nonexistent", loop: loop, poller: poller)
    #expect(throws: ClientRun.Failure.self) { try program.run([]) { _ in } }
    #expect(program.count == 0)
  }
}
