import DiskFaults
import JSON
import TestSupport

@testable import GraphEngine
@testable import GraphModel
@testable import Persistence

/// A story of graphs that become durable and cease to be while they subscribe to each other, on a slow or full disk, in
/// processes that are killed or hand over.
///
/// After any steps, once all is settled, a signal receives every event of its sources, runs if it should, and ends with
/// its sources; and no number decreases within its epoch.
final class BorderStory {
  private let host: DurableHost
  private let disks: Disks
  private var graphs: BorderGraphs
  private var attached: [String] = []
  private var isFull = false
  private var lastValue = 1000
  private var numbers: [String: UInt64] = [:]
  /// The durable signals that have ended in a process before, and remain so though their sources begin again.
  private var over: Set<String> = []

  /// The disks of all processes so far; the last ones are in use, the very last by the home that was opened last.
  private final class Disks { var all: [FaultyDisk] = [] }

  private init(_ graphs: BorderGraphs) throws {
    let disks = Disks()
    (self.graphs, self.disks) = (graphs, disks)
    host = try DurableHost(yaml: Self.yaml(graphs), microseconds: 0) { disks.all.append(FaultyDisk($0)) }
  }

  private static func yaml(_ graphs: BorderGraphs) -> String { DurableHost.yaml(graphs.yaml) }

  /// Returns the first fault, with its step; `nil` without one.
  static func fault(of steps: [BorderStep], _ graphs: BorderGraphs) throws -> String? {
    let story = try BorderStory(graphs)
    defer { story.makeRoom() }
    for (number, step) in (steps + [.makeRoom, .probe]).enumerated() {
      if let fault = try story.carryOut(step) ?? story.faultOfNumbers() { return "step \(number), \(step): \(fault)" }
    }
    return nil
  }

  // MARK: Steps

  private func carryOut(_ step: BorderStep) throws -> String? {
    // The story determines what is on disk at a step, not the speed of the writer: a failing story fails again.
    host.waitUntilWriterRests()
    switch step {
    case .send(let name): send(to: name)
    case .end(let name): host.end(name, with: .completed)
    case .restart(let name): if !isFull { host.restart(name) }
    case .attach(let name):
      guard host.main.signal(named: name) != nil else { break }
      attached.append(name)
      host.attach(to: name)
    case .detach(let name):
      guard let index = attached.firstIndex(of: name) else { break }
      attached.remove(at: index)
      host.detach(from: name)
    case .reload(let graphs):
      self.graphs = graphs
      try host.reload(graphs.yaml, settling: false)
      attached.removeAll { graphs[$0] == nil }
    case .commit: host.turn()
    case .settle: host.settle()
    case .pass: host.advance(by: .milliseconds(10))
    case .fill:
      isFull = true
      disks.all.last?.fill()
    case .makeRoom: makeRoom()
    case .kill:
      try host.kill()
      // A number at which a signal has entered the folder's epoch may not be on disk yet, and no value has it: the
      // signal may be lower in the next process. Numbers of delivered values are on disk, and persist.
      numbers = host.last
      isFull = false
      over = Set(host.graphs.flatMap(\.durable.runtime.signals).filter { !$0.isMirror && $0.ending != nil }.map(\.name))
      for name in attached { host.attach(to: name) }
    case .handOver: if !isFull { try host.handOver(attached: attached) }
    case .probe: if !isFull { return probe() }
    }
    return nil
  }

  private func makeRoom() {
    isFull = false
    for disk in disks.all { disk.mend() }
    host.waitUntilWriterRests()
    host.settle()
    tryAgain()
  }

  /// Makes the writer retry after a failure, as the daemon does: operations begun before space became available may
  /// meet the full disk even afterwards.
  ///
  /// - Returns: True if it had failed.
  @discardableResult private func tryAgain() -> Bool {
    if host.graphs.allSatisfy({ $0.failure == nil }) { return false }
    for graphs in host.graphs { graphs.retry() }
    host.waitForProgress()
    host.settle()
    return true
  }

  @discardableResult private func send(to name: String) -> Int? {
    guard host.main.signal(named: name)?.ending == nil else { return nil }
    lastValue += 1
    host.send(.number(Double(lastValue)), to: name)
    return lastValue
  }

  // MARK: Checks

  /// Values sent while the writer failed were refused, so a probe would show nothing.
  private func probe() -> String? {
    for _ in 1...3 {
      let fault = probeOnce()
      if !tryAgain() { return fault }
    }
    return "the writer fails though there is room"
  }

  private func probeOnce() -> String? {
    host.settle()
    over = over.filter { host.main.signal(named: $0)?.ending != nil }
    let before = host.told.count
    var sent: [(input: String, value: Int)] = []
    for input in BorderGraphs.inputs {
      if let value = send(to: input) { sent.append((input, value)) }
      host.settle()
    }
    var heard: [String: [Int]] = [:]
    for line in host.told[before...] {
      let words = line.split(separator: " ")
      if words.count == 3, let value = Int(words[2]) { heard[String(words[0]), default: []].append(value) }
    }
    for signal in graphs.signals where signal.trait != .cold {
      if signal.trait == .lazy, !attached.contains(signal.name) { continue }
      let expected = sent.flatMap { sent in
        Array(repeating: sent.value, count: graphs.ways(from: sent.input, to: signal.name, without: over))
      }
      if heard[signal.name, default: []].sorted() != expected {
        return "\(signal.name) has made \(heard[signal.name, default: []]) of \(sent), and not \(expected)"
      }
    }
    return faultOfEndings() ?? faultOfRunning()
  }

  /// Returns a signal that has not ended with its sources, or has ended without them.
  private func faultOfEndings() -> String? {
    for signal in graphs.signals where signal.trait != .cold && isActive(signal, evenIfEnded: true) {
      if over.contains(signal.name) { continue }
      guard case .from(let name) = signal.source, graphs[name]?.trait != .cold else { continue }
      let (own, other) = (host.main.signal(named: signal.name)?.ending, host.main.signal(named: name)?.ending)
      if own != other { return "\(signal.name) has ended: \(own != nil); \(name) has: \(other != nil)" }
    }
    return nil
  }

  /// Returns a lazy signal that runs without a subscriber, or is stopped although it has one.
  private func faultOfRunning() -> String? {
    for signal in graphs.signals where signal.trait == .lazy {
      guard let mirror = host.main.signal(named: signal.name), mirror.ending == nil else { continue }
      let original = mirror.isMirror ? host.original(of: signal.name) : mirror
      if original?.isRunning != isActive(signal) {
        return "\(signal.name) runs: \(original?.isRunning ?? false); has to: \(isActive(signal))"
      }
    }
    return nil
  }

  /// True if a signal should run: one that runs on demand needs a subscriber.
  private func isActive(_ signal: BorderGraphs.Signal, evenIfEnded: Bool = false) -> Bool {
    if !evenIfEnded, signal.trait != .cold, host.main.signal(named: signal.name)?.ending != nil { return false }
    switch signal.trait {
    case .none, .replay: return true
    case .lazy where attached.contains(signal.name): return true
    case .lazy, .cold: return graphs.dependents(of: signal.name).contains { isActive($0) }
    }
  }

  /// Returns a number below one delivered before.
  private func faultOfNumbers() -> String? {
    if let fallen = host.fallen.first { return fallen }
    for signal in host.main.signals where !signal.isCold {
      let numbering = host.numbering(of: signal.name)
      let earlier = numbers.updateValue(signal.sequence, forKey: numbering) ?? 0
      if signal.sequence < earlier { return "\(numbering): stands at \(signal.sequence), and stood at \(earlier)" }
    }
    return nil
  }
}
