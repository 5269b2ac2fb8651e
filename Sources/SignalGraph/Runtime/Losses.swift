package import ReactiveCore

/// The losses of a signal: values that were refused or past a bound, and programs that did not end well.
package struct Losses {
  /// Something that is counted.
  package enum Event: Sendable {
    case error, drop, start, failure
  }

  /// Values that an expression refused.
  package private(set) var errors: UInt64 = 0
  /// Values lost to a bound.
  package private(set) var dropped: UInt64 = 0
  /// How often it has started programs, and how many of them did not end well.
  package private(set) var programs: (starts: UInt64, failures: UInt64) = (0, 0)
  /// Whether the last value was lost to a bound.
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

  /// Counts a value that was lost to a bound.
  ///
  /// - Returns: Whether it is the first after one that was not lost.
  mutating func drop() -> Bool {
    count(.drop)
    defer { isDropping = true }
    return !isDropping
  }

  /// A value was not lost.
  mutating func pass() { isDropping = false }
}

extension Losses: Storable {
  package func store(in writer: inout StateWriter) {
    errors.store(in: &writer)
    dropped.store(in: &writer)
    programs.starts.store(in: &writer)
    programs.failures.store(in: &writer)
    isDropping.store(in: &writer)
  }

  package init(from reader: inout StateReader) throws(StateError) {
    errors = try UInt64(from: &reader)
    dropped = try UInt64(from: &reader)
    programs = (try UInt64(from: &reader), try UInt64(from: &reader))
    isDropping = try Bool(from: &reader)
  }
}
