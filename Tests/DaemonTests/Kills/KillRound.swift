import Foundation
import Glibc
import GraphStories
import Linux
import TestSupport

/// Clients of the real program's graphs, which is repeatedly ended or replaced.
final class KillRound {
  private let folder = TemporaryFolder()
  private let state = TemporaryFolder()
  private let graphs: String
  private var random: SplitMix
  private var process: ChildProcess
  private var hasOther = false
  let clients: [PersistentClient]
  private(set) var kills = 0
  private(set) var handovers = 0
  private let isReplaced: Bool

  /// - Parameters:
  ///   - graphs: The YAML under `graphs:`; clients send to `g.in`.
  ///   - signals: The subscribed signals.
  ///   - isReplaced: Pass `true` to replace the daemon with all its clients, instead of ending it.
  init(_ graphs: String, hearing signals: [String], seed: Int, isReplaced: Bool = false) throws {
    self.isReplaced = isReplaced
    self.graphs = graphs
    random = SplitMix(seed: UInt64(seed))
    let socket = folder("s")
    clients = (0..<3).map {
      PersistentClient("c\($0)", to: "g.in", hearing: signals, at: socket, isNaming: graphs.contains("durable: true"))
    }
    process = try Self.start(folder, state, graphs)
    for client in clients { try client.connect() }
  }

  static let limits = "{turn: 300, chain: 20}"

  private static func start(
    _ folder: TemporaryFolder, _ state: TemporaryFolder, _ graphs: String
  ) throws -> ChildProcess {
    let path = try folder.writeConfiguration(graphs, server: "{state: \(state.path), limits: \(limits)}")
    let process = try ChildProcess(["--config", path, "--socket", folder("s")])
    try process.waitForOutput(containing: "ready")
    return process
  }

  /// Runs the clients for a moment, and then ends the daemon.
  ///
  /// - Parameter value: Makes the value that a client sends, given its name.
  func play(_ value: (inout SplitMix, String) -> String) throws {
    let moment = MonotonicInstant.now() + .microseconds(Int.random(in: 0...8000, using: &random))
    repeat {
      for client in clients {
        if Int.random(in: 0..<3, using: &random) == 0 { client.send { value(&random, $0) } }
        client.read()
      }
      clients.randomElement(using: &random)?.read(waiting: .microseconds(200))
    } while MonotonicInstant.now() < moment
    // Occasionally during a reload.
    if Int.random(in: 0..<6, using: &random) == 0 { try reload() }
    for client in clients where Bool.random(using: &random) { client.send { value(&random, $0) } }
    if isReplaced { return try replace() }
    try end(with: Int.random(in: 0..<8, using: &random) == 0 ? SIGTERM : SIGKILL)
  }

  private func reload() throws {
    hasOther.toggle()
    try folder.writeConfiguration(
      graphs + (hasOther ? "\nother: {signals: {a: {input: {}}}}" : ""),
      server: "{state: \(state.path), limits: \(Self.limits)}")
    process.signal(SIGHUP)
    for client in clients { client.read(waiting: .microseconds(Int.random(in: 1...3000, using: &random))) }
  }

  /// Hands over to the next process, while clients continue; two at a time would merge into one.
  private func replace() throws {
    try waitForTakeover()
    process.signal(SIGUSR2)
    handovers += 1
  }

  private func waitForTakeover() throws {
    try process.waitForOutput(containing: "resumed the state", times: handovers)
  }

  private func end(with signal: Int32) throws {
    process.signal(signal)
    let status = try process.waitForExit()
    guard status == (signal == SIGKILL ? -SIGKILL : 0) else {
      throw Unexpected("it ended with \(status): \(process.output)")
    }
    if signal == SIGKILL { kills += 1 }
    for client in clients { client.drain() }
    hasOther = false
    process = try Self.start(folder, state, graphs)
    for client in clients { try client.connect() }
  }

  /// Waits for all answers, and all their consequences.
  func finish() throws {
    try waitForTakeover()
    try wait { $0.hasAnswers }
    for client in clients { client.ping() }
    try wait { $0.hasPong }
  }

  private func wait(until isDone: (PersistentClient) -> Bool) throws {
    let deadline = MonotonicInstant.now() + .seconds(20)
    while !clients.allSatisfy(isDone) {
      for client in clients where !isDone(client) { client.read(waiting: .milliseconds(5)) }
      if MonotonicInstant.now() > deadline { throw Unexpected("the clients are not answered: \(process.output)") }
    }
  }
}
