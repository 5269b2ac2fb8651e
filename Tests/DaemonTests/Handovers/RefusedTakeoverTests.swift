import Glibc
import GraphModel
import Linux
import Persistence
import TestSupport
import Testing

@testable import Daemon

/// A daemon that cannot resume the old process leaves the loop, the files and the state folder to the daemon that
/// starts over in its place.
@Suite struct RefusedTakeoverTests {
  /// A part of a state that is truncated, or belongs to other graphs.
  struct Damage: CustomTestStringConvertible {
    enum Part: CaseIterable { case daemon, users, graphs, clients, listeners, configuration }

    let part: Part
    /// The remaining part, in sixteenths.
    let rest: Int

    var testDescription: String { "\(part), \(rest)/16" }

    static let all = Part.allCases.flatMap { part in
      (part == .configuration ? [0] : [0, 3, 7, 11, 15]).map { Damage(part: part, rest: $0) }
    }

    func damaged(_ state: HandoverState, other: StoredConfiguration) -> HandoverState {
      func cut(_ part: Part, _ bytes: [UInt8]) -> [UInt8] {
        part == self.part ? Array(bytes.prefix(bytes.count * rest / 16)) : bytes
      }
      return HandoverState(
        processID: state.processID, program: state.program, socketPath: state.socketPath,
        ownsSocketFile: state.ownsSocketFile, configuration: part == .configuration ? other : state.configuration,
        daemon: cut(.daemon, state.daemon), durable: state.durable, users: cut(.users, state.users),
        graphs: cut(.graphs, state.graphs), clients: cut(.clients, state.clients),
        listeners: cut(.listeners, state.listeners))
    }
  }

  private let folder = TemporaryFolder()

  private var graphs: String {
    """
    kept:
      durable: true
      signals:
        in: {input: {}}
        lines: {tail: \(folder("kept.log"))}
        files: {tail: {path: "\(folder("*.log"))", glob: true}}
        pid: {exec: [sh, -c, "echo $$; exec sleep 1000"], hold: true}
        heard: {from: plain.sum, lazy: true}
        tick: {interval: 10ms}
    plain:
      signals:
        in: {input: {}, backpressure: true}
        paced: {interval: 5ms}
        sum: {from: in, lazy: true, pipe: [{scan: {initial: 0, next: $state + .}}], replay: 3}
        cold: {from: in, cold: true, pipe: [{scan: {initial: 0, next: $state + .}}]}
        back: {from: kept.in, pipe: [{debounce: 10ms}]}
        lines: {tail: \(folder("plain.log"))}
        files: {tail: {path: "\(folder("*.log"))", glob: true}}
        file: {file: \(folder("plain.log"))}
        program: {exec: [yes]}
        quiet: {from: paced, pipe: [{timeout: {gap: 1h}}]}
    """
  }

  private func write(_ graphs: String) throws -> String {
    try folder.writeConfiguration(
      graphs, server: "{state: \(folder("state")), limits: {client: {sends: 20}, user: {connections: 10}}}")
  }

  private func stored(_ graphs: String) throws -> (ConfigurationSource, StoredConfiguration) {
    let source = ConfigurationSource.alone(try write(graphs))
    return (source, try StoredConfiguration(reading: source))
  }

  /// Returns the handover of a daemon in the middle of many tasks, with the sockets of its clients.
  private func handOver() throws -> (state: HandoverState, farewells: [[UInt8]], clients: [Int32]) {
    let host = try LoopHost(configuration: try write(graphs), socket: folder("s"))
    let daemon = TestDaemon(host, folder: folder)
    let (sends, listens) = (try daemon.connect(), try daemon.connect())
    _ = try listens.ask(#"{"op":"subscribe","signal":"kept.*","heartbeat":"1h","every":"10ms"}"#)
    for signal in ["plain.*", "plain.cold", "plain.paced"] { _ = try listens.ask("subscribe \(signal)") }
    // The rate limit of sending delays the lines after the first one.
    try sends.say(#"{"op":"send","signal":"plain.in","values":[\#((0..<40).map(String.init).joined(separator: ","))]}"#)
    try sends.say("send plain.in 1", "send kept.in 2")
    _ = try listens.ask("ping")
    #expect(host.daemon.settleForHandover())
    let sockets = host.daemon.connections.listed.compactMap(\.descriptor).map { fcntl($0, F_DUPFD_CLOEXEC, 3) }
    return (host.daemon.state, host.daemon.connections.farewells, sockets)
  }

  /// - Parameter listener: The listening socket of the next process.
  private func resumption(
    _ damage: Damage, _ present: StoredConfiguration, other: StoredConfiguration, listener: Int32
  ) throws -> Resumption {
    let (state, farewells, clients) = try handOver()
    let file = HandoverFile(farewells: farewells, state: damage.damaged(state, other: other).bytes)
    let memory = try SealedMemory.make("handover", file.bytes)
    let pair = try DescriptorCarrier.make()
    let carrier = DescriptorCarrier(try pair.carrier.reader.duplicate())
    let writer = pair.takeWriter()
    try writer.send([HandoverMessage.clients.rawValue], clients)
    for client in clients { close(client) }
    try writer.send([HandoverMessage.head.rawValue], [memory.number, listener])
    return try Resumption(carrier, present: present, isStored: false)
  }

  @Test(arguments: Damage.all) func `another daemon starts on the same loop`(damage: Damage) throws {
    for name in ["kept.log", "plain.log"] { try folder.write("one\ntwo\n", to: name) }
    let (_, other) = try stored("other: {signals: {in: {input: {}}}}")
    let (source, present) = try stored(graphs)
    let listener = try UnixListener(path: folder("t"), mode: 0o600)
    let resumption = try resumption(damage, present, other: other, listener: listener.descriptor.number)
    let loop = try EventLoop()
    var sink: MemoryLog? = MemoryLog()
    weak let remains = sink
    do throws(StartFailure) {
      _ = try Daemon(
        present, from: source, socket: listener, loop: loop, log: Log(level: .debug, sink: sink ?? MemoryLog()),
        resumption: resumption)
      Issue.record("it resumes a state that is damaged")
    } catch {
      #expect(error.message.contains("cannot resume handover state"))
    }
    resumption.refuse()
    sink = nil
    let host = try LoopHost(configuration: try write(graphs), socket: folder("u"), loop: loop)
    let daemon = TestDaemon(host, folder: folder)
    let client = try daemon.connect()
    for signal in ["plain.lines", "kept.lines"] { _ = try client.ask("subscribe \(signal)") }
    for name in ["kept.log", "plain.log"] { try folder.write("one\ntwo\nthree\n", to: name) }
    var missing: Set = ["plain.lines", "kept.lines"]
    while !missing.isEmpty {
      let line = try client.line()
      missing = missing.filter { !line.contains("\"\($0)\"") }
    }
    #expect(remains == nil, "something of the daemon that was refused is still there")
  }
}
