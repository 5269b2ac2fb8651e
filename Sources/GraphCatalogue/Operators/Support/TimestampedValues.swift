import Base
import GraphEngine
import JSON
import Signals

/// Values in the order of the times that they carry; those of one time in the order of their arrival.
struct TimestampedValues: StateCodable {
  private(set) var values: [JSONValue] = []
  private(set) var times: [Int64] = []
  /// The time that the newest value carried, and the moment at which it arrived, for a time that runs on.
  private(set) var newest: (time: Int64, arrival: Instant)?
  /// The time up to which lists have been emitted.
  var closed = Int64.min

  init() {}

  mutating func insert(_ value: JSONValue, at time: Int64) {
    let index = times.partitioningIndex { $0 > time }
    times.insert(time, at: index)
    values.insert(value, at: index)
  }

  /// Records the time of a value that arrives; it is the newest if it is ahead of the time that runs on.
  mutating func see(_ time: Int64, at arrival: Instant) {
    if runningTime(at: arrival).map({ time > $0 }) ?? true { newest = (time, arrival) }
  }

  /// Returns the time of the newest value, which runs on with the clock from its arrival.
  func runningTime(at now: Instant) -> Int64? {
    newest.map { $0.time + (now - $0.arrival).wholeMicroseconds }
  }

  mutating func removeFirst(_ count: Int) {
    times.removeFirst(count)
    values.removeFirst(count)
  }

  /// Returns the number of values that are earlier than a time.
  func count(before time: Int64) -> Int { times.partitioningIndex { $0 >= time } }

  /// False for what only a damaged state contains.
  var isSound: Bool {
    zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }
      && (times + [newest?.time ?? 0]).allSatisfy { RFC3339.accepted ~= $0 }
  }

  func encode(to writer: inout StateEncoder) {
    writer.count(values.count)
    for (time, value) in zip(times, values) {
      time.encode(to: &writer)
      Payload.value(value).encode(to: &writer)
    }
    (newest?.time).encode(to: &writer)
    (newest?.arrival).encode(to: &writer)
    closed.encode(to: &writer)
  }

  init(from reader: inout StateDecoder) throws(StateError) {
    for _ in 0..<(try reader.count()) {
      times.append(try Int64(from: &reader))
      values.append(try Payload(from: &reader).value)
    }
    let (time, arrival) = (try Int64?(from: &reader), try Instant?(from: &reader))
    if let time, let arrival { newest = (time, arrival) }
    closed = try Int64(from: &reader)
  }
}
