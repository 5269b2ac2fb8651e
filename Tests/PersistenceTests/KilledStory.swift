import GraphEngine
import GraphStories
import JSON
import Signals
import StateLog

@testable import Persistence

/// A story of durable graphs, played twice: with repeated kills, and undisturbed.
final class KilledStory {
  private let host: DurableHost
  private let straight: OracleGraph
  private var listening: [String] = []
  /// The steps to repeat after a kill, since their execution is unknown.
  private var open: [(message: String, step: OracleStory.Step)] = []
  /// True if a pending step cannot be repeated without harm.
  private var isIrrevocable = false
  /// True if clients may have lost events since the last check: undelivered and not retained.
  private var hasLosses = false
  /// The required answers to the messages.
  private var expected: [String: String] = [:]
  private var heard = (host: 0, straight: 0, answers: 0)

  private init(_ story: OracleStory) throws {
    host = try DurableHost(yaml: story.yaml, microseconds: 0)
    straight = try OracleGraph(story.configuration, restarts: false)
  }

  /// Returns the first difference of the killed graphs in events or state; `nil` without one.
  static func fault(of story: OracleStory) throws -> String? {
    let run = try KilledStory(story)
    do {
      for (number, step) in story.steps.enumerated() {
        try run.carryOut(step, number)
        if let difference = run.difference() { return "step \(number): \(difference)" }
      }
      run.settle()
      return run.difference()
    } catch let error as StorageError {
      return "\(error)"
    }
  }

  // MARK: Steps

  private func carryOut(_ step: OracleStory.Step, _ number: Int) throws {
    switch step {
    case .send(let name, _), .end(let name, _):
      let message = "m\(number)"
      expected[message] = try straight.answer(to: step, of: name)
      host.send(step, message)
      open.append((message, step))
      try straight.carryOut(.advance(.zero))
      host.pass(.zero)
    case .commit:
      host.turn()
    case .kill(let kill):
      try straight.carryOut(step)
      try end(kill)
    case .advance(let time):
      settle()
      try straight.carryOut(step)
      advance(by: time)
    default:
      settle()
      try straight.carryOut(step)
      try straight.carryOut(.advance(.zero))
      carryOut(step)
      host.pass(.zero)
      isIrrevocable = true
    }
  }

  private func carryOut(_ step: OracleStory.Step) {
    switch step {
    case .restart(let name): host.restart(name)
    case .attach(let name):
      listening.append(name)
      host.attach(to: name)
    case .detach(let name):
      guard let index = listening.firstIndex(of: name) else { break }
      listening.remove(at: index)
      host.detach(from: name)
    default: break
    }
  }

  private func advance(by time: Duration) {
    var rest = time
    while let next = host.untilDeadline, next <= rest {
      settle()
      host.pass(max(.zero, next))
      rest -= max(.zero, next)
    }
    guard rest > .zero else { return }
    settle()
    host.advance(by: rest)
  }

  private func settle() {
    host.settle()
    open = []
    isIrrevocable = false
  }

  private func end(_ kill: OracleStory.Kill) throws {
    // A pending write is complete or absent; the tests of real programs cover both.
    host.waitUntilWritten()
    switch kill {
    case .told: settle()
    // Lazy signals would stop before the repetition.
    case .lost where !isIrrevocable && listening.isEmpty: hasLosses = true
    case .written, .lost:
      host.turn()
      host.waitUntilWritten()
      hasLosses = true
    }
    try host.kill()
    for name in listening { host.attach(to: name) }
    // Parts that start with their subscribers may have timers due at once.
    host.pass(.zero)
    try straight.carryOut(.advance(.zero))
    host.settle()
    for (message, step) in open {
      host.send(step, message)
      host.pass(.zero)
    }
    isIrrevocable = false
  }

  // MARK: Checks

  /// Returns the first difference between the two, once all events are delivered; `nil` before that.
  private func difference() -> String? {
    guard host.present.isIdle else { return nil }
    defer {
      heard = (host.events.count, straight.events.count, host.answers.count)
      hasLosses = false
    }
    return differenceOfEvents(Array(straight.events[heard.straight...]), Array(host.events[heard.host...]))
      ?? differenceOfAnswers() ?? differenceOfStandings()
  }

  private func differenceOfEvents(_ said: [String], _ told: [String]) -> String? {
    guard hasLosses else {
      for index in 0..<max(told.count, said.count) {
        let (own, other) = (said.dropFirst(index).first, told.dropFirst(index).first)
        if own != other { return "it says \(own ?? "nothing"); killed \(other ?? "nothing")" }
      }
      return nil
    }
    for line in told {
      let name = Self.signal(line)
      let all = said.filter { Self.signal($0) == name }
      let own = told.filter { Self.signal($0) == name }
      var rest = all[...]
      for line in own {
        guard let place = rest.firstIndex(of: line) else { return "it says \(all); killed \(own)" }
        rest = rest[(place + 1)...]
      }
    }
    return nil
  }

  private static func signal(_ line: String) -> Substring { line.prefix { $0 != "#" && $0 != " " } }

  private func differenceOfAnswers() -> String? {
    for answer in host.answers[heard.answers...] {
      let words = answer.split(separator: " ").map(String.init)
      if words[1] != expected[words[0]] { return "\(answer), where \(expected[words[0]] ?? "nothing") is right" }
    }
    return nil
  }

  private func differenceOfStandings() -> String? {
    let own = straight.standing
    // Without due timers its clock does not advance until an entry.
    host.present.durable.runtime.clock.skip(to: host.present.present.instant)
    if let pair = zip(own, host.present.durable.runtime.standing).first(where: { $0 != $1 }) {
      return "it stands as \(pair.0); killed as \(pair.1)"
    }
    // Timers run where the graphs do.
    if let pair = zip(own.dropLast(), host.main.standing).first(where: { $0 != $1 }) {
      return "it stands as \(pair.0); killed, for clients as \(pair.1)"
    }
    return nil
  }
}

extension OracleGraph {
  /// Executes a client's step, and returns the expected answer.
  fileprivate func answer(to step: OracleStory.Step, of name: String) throws -> String {
    let (before, refusals) = (sequence(of: name), refusalCount)
    try carryOut(step)
    if refusalCount > refusals { return "refused" }
    if case .send = step, sequence(of: name) == before { return "-" }
    return "\(sequence(of: name))"
  }
}

extension DurableHost {
  /// Sends a step as a client.
  func send(_ step: OracleStory.Step, _ message: String) {
    switch step {
    case .send(let name, let json): send(.received(json), to: name, message: message)
    case .end(let name, let ending): end(name, with: ending, message: message)
    default: break
    }
  }

  func attach(to name: String) {
    if let signal = main.signal(named: name) { main.attach(to: signal) }
  }

  func detach(from name: String) {
    if let signal = main.signal(named: name) { main.detach(from: signal) }
  }
}
