import JSON

// What is asked of a watch once all has happened.

extension Watch {
  /// The events that a signal has told, oldest first, as far as they are kept.
  func told(by signal: String) -> [Int] {
    number(of: Place(signal: signal, body: 0, index: 0)).map(events) ?? []
  }

  /// The event in which a signal told the value with a number.
  func told(by signal: String, numbered sequence: UInt64) -> Int? {
    told(by: signal).last { self[$0]?.event?.sequence == sequence }
  }

  /// The latest event that a signal told before another happening, and that is the same.
  func told(by signal: String, like happening: Happening, before number: Int) -> Int? {
    told(by: signal).last { $0 < number && self[$0]?.event?.isSame(as: happening.event) ?? false }
  }

  /// The number of the last value that a signal told.
  func lastSequence(of signal: String) -> UInt64? {
    told(by: signal).last { self[$0]?.value != nil }.flatMap { self[$0]?.event?.sequence }
  }

  /// The event in which a signal told that it has ended.
  func ending(of signal: String) -> Int? { told(by: signal).last { self[$0]?.value == nil } }

  /// The entry within which something happened.
  func entry(of number: Int) -> Int? {
    if case .entry(let entry)? = entryHappening(of: number).flatMap({ self[$0] })?.kind { entry } else { nil }
  }

  /// The same as a happening.
  func entryHappening(of number: Int) -> Int? {
    var next = number
    while let cause = self[next]?.cause { next = cause }
    if case .entry? = self[next]?.kind { return next }
    return nil
  }
}
