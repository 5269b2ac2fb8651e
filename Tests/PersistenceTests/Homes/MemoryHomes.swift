import Foundation
import JSON
import Signals
import StateLog
import TestSupport
import Testing

@testable import GraphEngine
@testable import GraphModel
@testable import Persistence

/// Graphs of several homes whose state logs are in memory, and the clients that use them.
final class MemoryHomes {
  private let folder = TemporaryFolder(inMemory: true)
  private let world = PlayedWorld()
  private let main: GraphRuntime
  private let homes: Homes
  private var open: [DurableGraphs] = []
  private let logs: [Home: MemoryStateLog]
  private(set) var told: [String] = []
  private(set) var answers: [String] = []
  private(set) var logged: [String] = []

  /// - Parameters:
  ///   - graphs: The YAML under `graphs:`.
  ///   - former: Graphs that were killed, whose logs these continue.
  init(_ graphs: String, after former: MemoryHomes? = nil) throws {
    let path = folder("signalbox.yaml")
    try DurableHost.yaml(graphs).write(toFile: path, atomically: false, encoding: .utf8)
    let stored = try StoredConfiguration(reading: .alone(path))
    let mirrors = Mirrors(\.isDurable)
    homes = Homes(mirrors)
    var logs: [Home: MemoryStateLog] = [:]
    for home in stored.configuration.homes {
      let log = former?.logs[home].map(MemoryStateLog.init(killed:)) ?? MemoryStateLog()
      logs[home] = log
      open.append(
        DurableGraphs(
          try Recovered(from: log, of: home, stored.configuration) { _ in }, at: home, writer: log, epoch: "\(home)",
          homes: homes, system: world, configuration: stored))
    }
    self.logs = logs
    main = GraphRuntime(
      stored.configuration, world: world, now: .zero, wallOffset: 0, mirrors: mirrors, keepsState: true)
    for graphs in open {
      graphs.log = { [unowned self] in logged.append($0) }
      graphs.restartSignals = { [unowned self] in main.restartSignals($0) }
      try graphs.begin(main, at: .zero, 0)
    }
    homes.connect()
    for signal in main.signals {
      signal.observer = { [unowned self] event in
        if case .next(let payload, let sequence) = event { told.append("\(signal.name) \(sequence) \(payload.value)") }
      }
    }
    main.start()
    settle()
  }

  deinit { for graphs in open { graphs.close() } }

  func log(of home: Home) throws -> MemoryStateLog { try #require(logs[home]) }

  func graphs(of home: Home) throws -> DurableGraphs { try #require(homes[home]) }

  /// Returns the value that a client gets.
  func value(of name: String) -> JSONValue? { main.signal(named: name)?.retained.latest(1).first?.payload.value }

  func send(_ value: Int, to name: String) {
    guard let mirror = main.signal(named: name), let graphs = homes[mirror] else { return }
    do throws(DurableGraphs.Refusal) {
      try graphs.send(
        .value(.value(.number(Double(value)))), to: mirror, message: nil, from: nil,
        reply: .answer { [unowned self] outcome in
          switch outcome {
          case .success(let outcome): answers.append("\(name) \(outcome.sequence ?? 0)")
          case .failure(let error): answers.append("\(name) unknown: \(error.kind)")
          }
        })
    } catch {
      if case .storage(let error) = error { answers.append("\(name) refused: \(error.kind)") }
    }
  }

  /// Writes what the logs were given, except those that fail, and publishes it, until nothing is left to do.
  func settle() {
    for _ in 0..<20 {
      for graphs in open { graphs.endIteration() }
      for log in logs.values where log.progress.failure == nil { log.write() }
      release()
    }
  }

  /// Stores a snapshot of each home.
  func snapshot() {
    for graphs in open { graphs.takeSnapshot() }
    settle()
  }

  /// Passes inputs to the logs without writing them.
  func turn() { for graphs in open { graphs.endIteration() } }

  /// Publishes what is durable.
  func release() { for graphs in open { graphs.releaseCommitted() } }

  /// Returns the events in a log that clients may see: `signal number value`.
  func recorded(by home: Home) throws -> [String] {
    let places = try graphs(of: home).durable.places
    return try log(of: home).emitted.flatMap { bytes in
      var (reader, events) = (StateDecoder(bytes), [String]())
      while !reader.isAtEnd {
        let emitted = try EmittedEvent(from: &reader)
        guard case .next(let payload, let sequence) = emitted.event else { continue }
        events.append("\(places[Int(emitted.place)].name) \(sequence) \(payload.value)")
      }
      return events
    }
  }
}
