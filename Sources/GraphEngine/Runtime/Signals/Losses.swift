package import ReactiveCore

/// The losses of a signal: values refused or lost to a limit, and programs that failed.
package struct Losses {
  /// A counted event.
  package enum Event: Sendable {
    case error, drop, start, failure
  }

  /// Values that an expression refused.
  package private(set) var errors: UInt64 = 0
  /// Values lost to a limit.
  package private(set) var dropped: UInt64 = 0
  /// The number of programs started, and of those that failed.
  package private(set) var programs: (starts: UInt64, failures: UInt64) = (0, 0)
  /// True if the last value was lost to a limit.
  private var isDropping = false

  init() {}

  mutating func count(_ event: Event) {
    switch event {
    case .error: errors += 1
    case .drop: dropped += 1
    case .start: programs.starts += 1
    case .failure: programs.failures += 1
    }
  }

  /// Counts a value lost to a limit.
  ///
  /// - Returns: True if the value before was not lost.
  mutating func drop() -> Bool {
    count(.drop)
    defer { isDropping = true }
    return !isDropping
  }

  /// Records that a value was not lost.
  mutating func pass() { isDropping = false }
}

extension Losses: StateFields {
  package mutating func code(_ field: inout StateCoder<Self>) throws(StateError) {
    try field(&errors)
    try field(&dropped)
    try field(&programs.starts)
    try field(&programs.failures)
    try field(&isDropping)
  }
}
