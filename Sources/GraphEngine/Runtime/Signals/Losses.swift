package import Signals

/// The losses of a signal: values refused or lost to a limit, and programs that failed.
///
/// The counts are boxed, since most signals lose nothing.
package struct Losses {
  /// A counted event.
  package enum Event: Sendable {
    case error, drop, start, failure
  }

  private struct Counts {
    var errors: UInt64 = 0
    var dropped: UInt64 = 0
    var programs: (starts: UInt64, failures: UInt64) = (0, 0)
    var isDropping = false
  }

  private final class Box {
    var counts: Counts

    init(_ counts: Counts) { self.counts = counts }
  }

  private var box: Box?
  private var counts: Counts {
    get { box?.counts ?? Counts() }
    set { box = Box(newValue) }
  }

  /// Values that an expression refused.
  package var errors: UInt64 { counts.errors }
  /// Values lost to a limit.
  package var dropped: UInt64 { counts.dropped }
  /// The number of programs started, and of those that failed.
  package var programs: (starts: UInt64, failures: UInt64) { counts.programs }

  init() {}

  mutating func count(_ event: Event) {
    switch event {
    case .error: counts.errors += 1
    case .drop: counts.dropped += 1
    case .start: counts.programs.starts += 1
    case .failure: counts.programs.failures += 1
    }
  }

  /// Counts a value lost to a limit.
  ///
  /// - Returns: True if the value before was not lost.
  mutating func drop() -> Bool {
    let isFirst = !counts.isDropping
    count(.drop)
    counts.isDropping = true
    return isFirst
  }

  /// Records that a value was not lost.
  @inline(__always)
  mutating func pass() {
    // A copy may share the box.
    if let box, box.counts.isDropping { counts.isDropping = false }
  }
}

extension Losses: StateFields {
  package mutating func code(_ field: inout StateCoder<Self>) throws(StateError) {
    var counts = counts
    try field(&counts.errors)
    try field(&counts.dropped)
    try field(&counts.programs.starts)
    try field(&counts.programs.failures)
    try field(&counts.isDropping)
    let isEmpty = counts.errors | counts.dropped | counts.programs.starts | counts.programs.failures == 0
    box = isEmpty && !counts.isDropping ? nil : Box(counts)
  }
}
