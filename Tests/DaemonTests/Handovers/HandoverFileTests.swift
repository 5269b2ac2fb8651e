import Foundation
import GraphStories
import Linux
import TestSupport
import Testing

/// Handovers of older programs are resumed, and unusable ones end with a clear error.
@Suite struct HandoverFileTests {
  private static let graphs = """
    g:
      signals:
        in: {input: {type: number}, replay: 3}
        sum: {from: in, pipe: [{scan: {initial: 0, next: "$state + ."}}], hold: true}
        pairs: {from: in, lazy: true, pipe: [{buffer: {count: 2}}]}
        run: {from: in, cold: true, pipe: [{scan: {initial: 100, next: "$state + ."}}]}
        last: {from: in, pipe: [{group_by: {key: ". % 2", max_keys: 4, pipe: [{scan: {initial: 0, next: $state + 1}}]}}]}

    """

  private static let requests = [
    ["subscribe g.sum", #"{"op":"subscribe","signal":"g.in","subscription":"big","where":". > 2"}"#],
    [#"{"op":"subscribe","signal":"g.*","subscription":"all","take":12}"#],
    ["subscribe g.run", "subscribe g.pairs"],
  ]

  private static let golden = Committed.path("Tests/DaemonTests/Handovers/1.handover")

  private let folder = TemporaryFolder()

  private func start(_ manager: StandInManager, config graphs: String = Self.graphs) throws -> ChildProcess {
    let path = try folder.writeConfiguration(graphs)
    return try manager.start(["--config", path, "--socket", folder("s")])
  }

  /// `UPDATE_HANDOVER` writes this program's handover, once for each version.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["UPDATE_HANDOVER"] != nil))
  func `the golden file is written`() throws {
    let manager = try StandInManager()
    let process = try start(manager)
    try process.waitForOutput(containing: "ready")
    let clients = try Self.requests.map { lines in
      let client = try Client(at: folder("s"))
      for line in lines { try client.say(line) }
      return client
    }
    for client in clients { _ = try client.lines(1) }
    for value in 1...3 { try clients[0].say("send g.in \(value)") }
    _ = try clients[0].lines(5)
    _ = try clients[1].lines(10)
    _ = try clients[2].lines(5)
    try manager.takeOver(from: process)
    try Data(#require(manager.file)).write(to: URL(fileURLWithPath: Self.golden))
  }

  private func takeOver(_ file: [UInt8]) throws -> (StandInManager, [Client], ChildProcess) {
    let manager = try StandInManager()
    let listener = try UnixListener(path: folder("s"), mode: 0o600)
    var (clients, sockets): ([Client], [Int32]) = ([], [])
    for _ in Self.requests {
      let (ours, theirs) = try UnixSocket.pair().take()
      clients.append(try Client(OwnedDescriptor(owning: ours)))
      // Non-blocking, like sockets accepted by a daemon.
      _ = fcntl(theirs, F_SETFL, O_NONBLOCK)
      sockets.append(theirs)
    }
    try manager.store(file, clients: sockets, listener: listener.descriptor.number)
    for socket in sockets { close(socket) }
    return (manager, clients, try start(manager))
  }

  @Test func `a state of version 1 is resumed`() throws {
    let (manager, clients, process) = try takeOver(Array(Data(contentsOf: URL(fileURLWithPath: Self.golden))))
    #expect(try manager.waitForReadiness(of: process))
    #expect(process.output.contains("3 connections"))
    try clients[0].say("send g.in 4")
    #expect(
      try clients[0].lines(2).sorted() == [
        #"{"event":"next","signal":"g.sum","seq":4,"value":10}"#,
        #"{"event":"next","subscription":"big","signal":"g.in","seq":4,"value":4}"#,
      ])
    #expect(
      try clients[2].lines(2).sorted() == [
        #"{"event":"next","signal":"g.pairs","seq":2,"value":[3,4]}"#,
        #"{"event":"next","signal":"g.run","seq":4,"value":110}"#,
      ])
  }

  @Test func `a subscription whose condition is refused ends alone`() throws {
    var file = Array(try Data(contentsOf: URL(fileURLWithPath: Self.golden)))
    file.replace(Array(". > 2".utf8), with: Array(". > )".utf8))
    let (manager, clients, process) = try takeOver(file)
    #expect(try manager.waitForReadiness(of: process))
    #expect(process.output.contains("3 connections"))
    #expect(process.output.contains(#"cannot resume a subscription to g.in: its \"where\" is refused"#))
    #expect(
      try clients[0].lines(1) == [
        #"{"event":"interrupted","subscription":"big","signal":"g.in","reason":"restarted"}"#
      ])
    try clients[0].say("send g.in 4")
    #expect(try clients[0].lines(1) == [#"{"event":"next","signal":"g.sum","seq":4,"value":10}"#])
    #expect(
      try clients[2].lines(2).sorted() == [
        #"{"event":"next","signal":"g.pairs","seq":2,"value":[3,4]}"#,
        #"{"event":"next","signal":"g.run","seq":4,"value":110}"#,
      ])
  }

  @Test func `clients of an unreadable state are interrupted, in whole lines`() throws {
    var file = Array(try Data(contentsOf: URL(fileURLWithPath: Self.golden)))
    let farewells = file.lastRange(of: Array("restarted".utf8))
    // The version follows the last of the farewells.
    file[try #require(farewells).upperBound + 3] = 99
    let (manager, clients, process) = try takeOver(file)
    #expect(try manager.waitForReadiness(of: process))
    #expect(process.output.contains("unsupported state version 99"))
    #expect(
      try clients[0].lines(2).sorted() == [
        #"{"event":"interrupted","signal":"g.sum","reason":"restarted"}"#,
        #"{"event":"interrupted","subscription":"big","signal":"g.in","reason":"restarted"}"#,
      ])
    #expect(try clients[0].hasEnded())
  }
}

/// One end of a connection, as a client.
private final class Client {
  private let socket: OwnedDescriptor
  private var received = ""

  init(_ socket: consuming OwnedDescriptor) throws { self.socket = socket }

  convenience init(at path: String) throws { try self.init(UnixSocket.connect(path: path)) }

  func say(_ line: String) throws { try socket.transfer.writeAll(line + "\n") }

  func lines(_ count: Int) throws -> [String] {
    while received.count(where: { $0 == "\n" }) < count {
      guard !(try socket.transfer.wait(for: .readable, timeout: .seconds(20)).isEmpty),
        let bytes = try socket.transfer.read(upTo: 4096), !bytes.isEmpty
      else { throw Unexpected("\(count) lines did not come: \(received)") }
      received += String(decoding: bytes, as: UTF8.self)
    }
    let lines = received.split(separator: "\n", omittingEmptySubsequences: false)
    received = lines[count...].joined(separator: "\n")
    return lines[..<count].map(String.init)
  }

  func hasEnded() throws -> Bool { try socket.transfer.read(upTo: 10)?.isEmpty ?? false }
}
