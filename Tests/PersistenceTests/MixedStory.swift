import GraphEngine
import GraphModel
import GraphStories
import Signals
import StateLog
import TestSupport

@testable import Persistence

/// A story of a durable graph and another one, which are killed again and again.
///
/// Their undisturbed events are undefined: the other graph forgets, and crossing values have turns of their own. But
/// replaying the log yields the same state to the byte, clients see the durable signals at their actual state, and no
/// number is given to two values. Some turns are cut by their time limit.
final class MixedStory {
  private let host: DurableHost
  private var listening: [String] = []
  /// The steps to repeat after a kill, since their execution is unknown.
  private var open: [(message: String, step: OracleStory.Step)] = []
  private var answers: [String: String] = [:]
  private var heard = (events: 0, answers: 0)
  private var values: [String: String] = [:]

  private init(_ story: OracleStory) throws {
    host = try DurableHost(yaml: story.yaml, microseconds: 0, turnClock: .hasty())
  }

  /// Returns the first inconsistency; `nil` without one.
  static func fault(of story: OracleStory) throws -> String? {
    let run = try MixedStory(story)
    do {
      for (number, step) in story.steps.enumerated() {
        try run.carryOut(step, number)
        if let fault = try run.fault() { return "step \(number), \(step): \(fault)" }
      }
      run.host.settle()
      return try run.fault()
    } catch let error as StorageError {
      return "\(error)"
    }
  }

  // MARK: Steps

  private func carryOut(_ step: OracleStory.Step, _ number: Int) throws {
    switch step {
    case .send(let name, _), .end(let name, _):
      host.send(step, "m\(number)")
      if host.main.signal(named: name)?.isMirror == true { open.append(("m\(number)", step)) }
      host.pass(.zero)
    case .commit: host.turn()
    case .kill(let kill): try end(kill)
    case .advance(let time):
      settle()
      host.advance(by: time)
    case .restart(let name): host.restart(name)
    case .attach(let name):
      listening.append(name)
      host.attach(to: name)
    case .detach(let name):
      guard let index = listening.firstIndex(of: name) else { break }
      listening.remove(at: index)
      host.detach(from: name)
    case .call(let name, let json): _ = try? host.main.actions[name]?.call(.received(json)) { _ in }
    case .print(_, let line): host.world.say(line + "\n")
    case .exit(_, let status): host.world.exit(status)
    case .beginRun, .endRun: break
    }
  }

  private func settle() {
    host.settle()
    open = []
  }

  private func end(_ kill: OracleStory.Kill) throws {
    switch kill {
    case .told: settle()
    case .written:
      host.turn()
      host.waitUntilWritten()
    case .lost: host.waitUntilHandedOverIsWritten()
    }
    try host.kill()
    for name in listening { host.attach(to: name) }
    host.settle()
    for (message, step) in open {
      host.send(step, message)
      host.pass(.zero)
    }
    settle()
  }

  // MARK: Checks

  private func fault() throws -> String? {
    guard host.present.isIdle else { return nil }
    if let fault = faultOfEvents() ?? faultOfAnswers() ?? faultOfMirrors() { return fault }
    return try faultOfRecovery()
  }

  /// Returns a durable number given to two values.
  private func faultOfEvents() -> String? {
    defer { heard.events = host.events.count }
    for event in host.events[heard.events...] where event.hasPrefix("g.") && event.contains("#") {
      let (place, value) = event.split(at: " ")
      if host.main.signal(named: place.split(at: "#").0)?.declaration.isDurable != true { continue }
      if let earlier = values.updateValue(value, forKey: place), earlier != value {
        return "\(place) was \(earlier), and is \(value)"
      }
    }
    return nil
  }

  /// Returns a message with two different answers.
  private func faultOfAnswers() -> String? {
    defer { heard.answers = host.answers.count }
    for answer in host.answers[heard.answers...] where answer.hasPrefix("m") {
      let (message, said) = answer.split(at: " ")
      let outcome = said.split(at: " ").0
      if let earlier = answers[message], earlier != outcome { return "\(message) was \(earlier), and is \(outcome)" }
      // A refused message may be accepted when it is repeated.
      if outcome != "refused" { answers[message] = outcome }
    }
    return nil
  }

  /// Returns a signal whose mirror differs.
  private func faultOfMirrors() -> String? {
    let durable = host.present.durable.runtime
    for signal in host.main.signals where !signal.isCold {
      guard let other = durable.signal(named: signal.name) else { continue }
      if signal.isMirror {
        // Values retained for a time expire by the clock of each.
        durable.clock.skip(to: host.present.present.instant)
        let (own, mirrored) = ("\(other.summary) \(other.sequence)", "\(signal.summary) \(signal.sequence)")
        // A value of the other graph that was refused never entered the log: its loss is counted by the mirror alone.
        let hasCounted = signal.losses.errors >= other.losses.errors && signal.losses.dropped >= other.losses.dropped
        if other.offer != signal.offer || other.sequence != signal.sequence || !hasCounted {
          return "it stands as \(own); for clients as \(mirrored)"
        }
      } else if signal.isReflected {
        if signal.ending != other.ending { return "\(signal.name) ends as \(signal.summary), there \(other.summary)" }
        if signal.sequence > 0, signal.sequence != other.sequence {
          return "\(signal.name) has come to \(signal.sequence), and is heard up to \(other.sequence)"
        }
      }
    }
    return nil
  }

  /// Returns a difference from the state on disk.
  private func faultOfRecovery() throws -> String? {
    let live = host.present.durable
    let copy = try host.copyOfState()
    let configuration = host.present.configuration.configuration
    let recovered = try Recovered(from: try StateFolder(copy.path), configuration, progressed: { _ in })
    for durable in [live, recovered.durable] { durable.runtime.clock.skip(to: host.present.present.instant) }
    let (own, other) = (try normal(live.state()), try normal(recovered.durable.state()))
    if own == other { return nil }
    let difference = zip(live.runtime.standing, recovered.durable.runtime.standing).first { $0 != $1 }
    let place = zip(own, other).enumerated().first { $1.0 != $1.1 }?.offset ?? min(own.count, other.count)
    return "what is on disk leads elsewhere, from byte \(place) of \(own.count) and \(other.count): "
      + (difference.map { "\($0) and \($1)" } ?? "all signals stand the same")
  }

  /// Returns the state as encoded after resuming from it once: ended parts are rebuilt differently once.
  private func normal(_ state: [UInt8]) throws -> [UInt8] {
    var state = state
    for _ in 0..<2 {
      let durable = DurableRuntime(
        host.present.configuration.configuration.part(of: .folder), world: DurableWorld(.stateLog),
        mirrors: DurableRuntime.mirrors(in: .folder), isResuming: true)
      do { try durable.resume(state, .recorded) } catch { throw StorageError(.damaged, "\(error)") }
      state = durable.state()
    }
    return state
  }
}

extension String {
  /// Returns the parts before and after the first separator.
  fileprivate func split(at separator: Character) -> (String, String) {
    (String(prefix { $0 != separator }), String(drop { $0 != separator }.dropFirst()))
  }
}
