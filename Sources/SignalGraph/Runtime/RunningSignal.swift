import JSON
import ReactiveCore

/// A signal under its name: what clients send to, subscribe to and get.
///
/// It outlives reloads: the pipeline behind a name may be replaced, while the sequence number goes on and whoever is
/// attached stays attached.
package final class RunningSignal {
  package private(set) var declaration: SignalDeclaration
  /// The turns of the graph that runs it now.
  private(set) var turns: Turns?
  /// Where values from outside enter, for an input or a property.
  var inlet: Inlet?

  /// The number of the last value so far; 0 before the first.
  package private(set) var sequence: UInt64 = 0
  package private(set) var ending: SignalEnding?
  /// The values that a newcomer is given, oldest first.
  package private(set) var retained = Retention.none
  /// Values that an expression refused.
  package internal(set) var errors: UInt64 = 0
  /// Values lost to a bound.
  package private(set) var dropped: UInt64 = 0
  /// Whether the last value was lost to a bound.
  var isDropping = false

  /// Called for each event once it has been counted and retained.
  package var observer: ((SignalEvent) -> Void)?

  /// - Parameter sequence: The number of the last value that a signal of this name had.
  init(_ declaration: SignalDeclaration, sequence: UInt64) {
    self.declaration = declaration
    self.sequence = sequence
  }

  package var name: String { declaration.name }
  package var kind: SignalKind { declaration.kind }
  package var acceptsValues: Bool { inlet != nil }
  package var isHeld: Bool { !retained.isEmpty }

  /// Takes over what applies without starting afresh: documentation and visibility.
  func apply(_ declaration: SignalDeclaration) { self.declaration = declaration }

  /// Forgets everything but its name and its sequence number.
  func reset() {
    inlet = nil
    ending = nil
    retained = Retention(capacity: declaration.traits.retention)
  }

  /// Starts afresh in a graph.
  func begin(in graph: RunningGraph) {
    reset()
    turns = graph.turns
  }

  /// Counts a value that was lost to a bound; whether it is the first after one that was not, and so worth a word.
  func drop() -> Bool {
    dropped += 1
    defer { isDropping = true }
    return !isDropping
  }

  /// Widens what newcomers are given.
  func retain(atLeast count: Int) {
    if retained.capacity < count { retained = Retention(capacity: count) }
  }

  /// Counts, retains and passes on a value that its pipeline made.
  func receive(_ payload: Payload) {
    sequence += 1
    retained.append(payload, sequence: sequence)
    observer?(.next(payload, sequence: sequence))
  }

  /// Ends it as its pipeline did.
  func end(_ ending: Ending<SignalFailure>) {
    let ending = SignalEnding(ending)
    self.ending = ending
    observer?(.ended(ending))
  }
}

extension SignalEnding {
  fileprivate init(_ ending: Ending<SignalFailure>) {
    switch ending {
    case .completed: self = .completed
    case .failed(let failure): self = .failed(failure)
    case .interrupted: self = .interrupted
    }
  }
}
