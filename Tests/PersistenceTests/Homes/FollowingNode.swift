import Foundation
import JSON
import Signals
import StateLog
import TestSupport

@testable import GraphEngine
@testable import GraphModel
@testable import Persistence

/// A node that follows the graphs of another one by their log, and can take them over.
final class FollowingNode {
  private let folder = TemporaryFolder(inMemory: true)
  private let world = PlayedWorld()
  private let home: Home
  private let stored: StoredConfiguration
  private let main: GraphRuntime
  private let homes: Homes
  private(set) var followed: FollowedGraphs
  private var graphs: DurableGraphs?
  /// The events that its clients receive: `signal number value`.
  private(set) var told: [String] = []

  /// - Parameters:
  ///   - graphs: The YAML under `graphs:`.
  ///   - told: The number of the last commit whose events its clients know.
  init(_ graphs: String, of home: Home, told: UInt64 = 0) throws {
    let path = folder("signalbox.yaml")
    try DurableHost.yaml(graphs).write(toFile: path, atomically: false, encoding: .utf8)
    stored = try StoredConfiguration(reading: .alone(path))
    self.home = home
    let mirrors = Mirrors(\.isDurable)
    homes = Homes(mirrors)
    main = GraphRuntime(
      stored.configuration, world: world, now: .zero, wallOffset: 0, mirrors: mirrors, keepsState: true)
    followed = FollowedGraphs(at: home, main: main, under: stored.configuration, told: told)
    followed.restartSignals = { [unowned self] names in
      self.told += names.sorted().map { "\($0) restarts" }
      main.restartSignals(names)
      observe()
    }
    main.start()
    observe()
  }

  deinit { graphs?.close() }

  private func observe() {
    for signal in main.signals {
      signal.observer = { [unowned self] event in
        switch event {
        case .next(let payload, let sequence): told.append("\(signal.name) \(sequence) \(payload.value)")
        case .ended: told.append("\(signal.name) ends")
        }
      }
    }
  }

  /// Reads a log from its newest snapshot on.
  func read(_ log: MemoryStateLog) throws {
    let snapshot = log.newestSnapshot()
    try followed.recover(snapshot, emitted: log.published)
    try readOn(log, after: snapshot?.number ?? 0)
  }

  /// Reads the commits of a log after a number.
  func readOn(_ log: MemoryStateLog, after number: UInt64) throws {
    try log.forEachCommit(after: number) { commit throws(StorageError) in try followed.take(commit) }
  }

  /// Runs the graphs from where their log ends.
  func takeOver(_ log: MemoryStateLog, at microseconds: Int64) throws {
    let graphs = DurableGraphs(
      followed.finish(), at: home, writer: log, epoch: "\(home)", homes: homes, system: world, configuration: stored)
    self.graphs = graphs
    graphs.restartSignals = { [unowned self] in main.restartSignals($0) }
    try graphs.begin(main, at: .zero, microseconds, isFollowed: true)
    homes.connect()
    settle(log)
  }

  func send(_ value: Int, to name: String, _ log: MemoryStateLog) throws {
    guard let graphs, let mirror = main.signal(named: name) else { return }
    try graphs.send(
      .value(.value(.number(Double(value)))), to: mirror, message: nil, from: nil, reply: .answer { _ in })
    settle(log)
  }

  private func settle(_ log: MemoryStateLog) {
    for _ in 0..<5 {
      graphs?.endIteration()
      log.write()
      graphs?.releaseCommitted()
    }
  }
}
