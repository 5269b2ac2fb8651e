package import JSON

/// A signal under its name: what clients send to, subscribe to and get.
///
/// It outlives reloads: the pipeline behind a name may be replaced, while the sequence number goes on and whoever is
/// attached stays attached.
package final class RunningSignal {
  package let name: String
  package internal(set) var kind: SignalKind
  package internal(set) var documentation: String?
  package internal(set) var isPrivate = false
  /// What an input or property takes, as the file says it (`object`, `any`, …).
  package internal(set) var inputType: ValueType = .any
  package internal(set) var isEndable = false

  /// The number of the last value so far; 0 before the first.
  package internal(set) var sequence: UInt64 = 0
  package internal(set) var ending: SignalEnding?
  /// The values that a newcomer is given, oldest first.
  package internal(set) var retained = Retention.none
  /// Values that an expression refused.
  package internal(set) var errors: UInt64 = 0
  /// Values lost to a bound.
  package internal(set) var dropped: UInt64 = 0

  /// Called for each event once it has been counted and retained.
  package var observer: ((SignalEvent) -> Void)?

  init(name: String, kind: SignalKind) {
    self.name = name
    self.kind = kind
  }

  package var acceptsValues: Bool { kind == .input || kind == .property }
  package var isHeld: Bool { !retained.isEmpty }
}
