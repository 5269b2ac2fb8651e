import GraphEngine
import GraphModel
import JSON

// Queries of a watch after the recording.

extension ProvenanceRecorder {
  /// Returns the recorded events of a signal, oldest first.
  func emitted(by signal: String) -> [Int] {
    number(of: Place(signal: signal, body: 0, index: 0)).map(events) ?? []
  }

  /// Returns the event with a value's sequence number.
  func emitted(by signal: String, numbered sequence: UInt64) -> Int? {
    emitted(by: signal).last { self[$0]?.event?.sequence == sequence }
  }

  /// Returns the latest equal event of a signal before another record.
  func emitted(by signal: String, like record: ProvenanceRecord, before number: Int) -> Int? {
    emitted(by: signal).last { $0 < number && self[$0]?.event?.isSame(as: record.event) ?? false }
  }

  /// Returns the sequence number of a signal's last value.
  func lastSequence(of signal: String) -> UInt64? {
    emitted(by: signal).last { self[$0]?.value != nil }.flatMap { self[$0]?.event?.sequence }
  }

  /// Returns the event that ended a signal.
  func ending(of signal: String) -> Int? { emitted(by: signal).last { self[$0]?.value == nil } }

  /// Returns the rejection of the value of a record.
  func refusal(within number: Int) -> SignalFailure? {
    var next = number + 1
    while let record = self[next], record.cause != nil {
      if record.cause == number, case .refused(let refused) = record.kind { return refused.failure }
      next += 1
    }
    return nil
  }

  /// True for what makes an operator emit a value that it has held: a timer, or an end of its input.
  func isRelease(_ number: Int) -> Bool {
    guard let record = self[number] else { return false }
    if case .timer = record.kind { return true }
    return record.event != nil && record.value == nil
  }

  /// Returns the entry of a record.
  func entry(of number: Int) -> Int? {
    if case .entry(let entry)? = entryRecord(of: number).flatMap({ self[$0] })?.kind { entry } else { nil }
  }

  /// Returns the record of that entry.
  func entryRecord(of number: Int) -> Int? {
    var next = number
    while let cause = self[next]?.cause { next = cause }
    if case .entry? = self[next]?.kind { return next }
    return nil
  }
}
