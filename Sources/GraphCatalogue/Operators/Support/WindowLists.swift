import GraphEngine
import GraphModel
import JSON
import Signals

/// The last values of a window, as a list that is handed on without being copied unless it is kept downstream.
struct CountedWindow: StateCodable {
  private(set) var values: [JSONValue] = []

  init() {}

  /// Appends a value to a list of `count` values at most.
  mutating func append(_ value: JSONValue, keeping count: Int) {
    if values.count >= count { values.removeFirst(values.count - count + 1) }
    values.append(value)
  }
}

extension CountedWindow {
  // The format is that of a list of payloads.

  func encode(to writer: inout StateEncoder) {
    writer.count(values.count)
    for value in values { Payload.value(value).encode(to: &writer) }
  }

  init(from reader: inout StateDecoder) throws(StateError) {
    for _ in 0..<(try reader.count()) { values.append(try Payload(from: &reader).value) }
  }
}

/// The values of a window of time with the times at which they arrived, as a list that is handed on without being
/// copied unless it is kept downstream.
struct TimedWindow: StateCodable {
  private(set) var values: [JSONValue] = []
  private var times: [Instant] = []

  init() {}

  /// Appends a value, and removes those that arrived at `end` or before it; false if the bound leaves the value out.
  mutating func append(
    _ value: JSONValue, at now: Instant, after end: Instant, within bound: ListBound, _ output: StreamObserver
  ) -> Bool {
    remove { $0 <= end }
    guard bound.makeRoom(among: values.count, output, dropOldest: { removeFirst(1) }) else { return false }
    append(value, at: now)
    return true
  }

  mutating func append(_ value: JSONValue, at now: Instant) {
    times.append(now)
    values.append(value)
  }

  /// Removes the values that are `age` old at a moment; true if there were any.
  mutating func expire(through moment: Instant, after age: Duration) -> Bool { remove { $0 + age <= moment } }

  /// Returns the moment at which the first value is `age` old.
  func nextExpiry(after age: Duration) -> Instant? { times.first.map { $0 + age } }

  @discardableResult private mutating func remove(where isExpired: (Instant) -> Bool) -> Bool {
    let expired = times.firstIndex { !isExpired($0) } ?? times.count
    if expired > 0 { removeFirst(expired) }
    return expired > 0
  }

  private mutating func removeFirst(_ count: Int) {
    times.removeFirst(count)
    values.removeFirst(count)
  }
}

extension TimedWindow {
  // The format is that of a list of payloads with their times.

  func encode(to writer: inout StateEncoder) {
    writer.count(values.count)
    for (time, value) in zip(times, values) {
      time.encode(to: &writer)
      Payload.value(value).encode(to: &writer)
    }
  }

  init(from reader: inout StateDecoder) throws(StateError) {
    for _ in 0..<(try reader.count()) {
      times.append(try Instant(from: &reader))
      values.append(try Payload(from: &reader).value)
    }
  }
}
