import Base
import GraphEngine
import GraphModel
import JSON
import Signals

/// The newest values by the times that they carry, as a list in the order of these times.
///
/// The newest value is always held, so that it is the last one.
final class EventTimeWindow {
  private let times: EventTimes
  private let bound: ListBound
  private let held: Cell<TimestampedValues>

  init(_ times: EventTimes, _ bound: ListBound, _ context: OperatorContext) {
    self.times = times
    self.bound = bound
    held = context.cell(TimestampedValues()) { $0.isSound }
  }

  /// Emits after each value the list of those that are less than `age` older than the newest.
  func lists(of input: Stream, youngerThan age: Duration) -> Stream {
    let age = EventTimes.length(age)
    return input.through { [self] payload, output in
      guard let time = times.time(of: payload, refusingTo: output) else { return }
      if let newest = held.value.times.last, time < times.watermark(newest) || time <= newest - age {
        return times.dropLate()
      }
      held.value.removeFirst(held.value.count(before: newest(with: time) - age + 1))
      guard insert(payload, at: time, output) else { return }
      output.send(value: .value(.array(held.value.values)))
    }
  }

  /// Emits after each value the list of those in its period, which ends at a time of a calendar.
  func lists(of input: Stream, in calendar: Calendar) -> Stream {
    func end(_ time: Int64) -> Int64 { calendar.next(after: time) ?? EventTimes.never }
    return input.through { [self] payload, output in
      guard let time = times.time(of: payload, refusingTo: output) else { return }
      let ending = end(time)
      if let newest = held.value.times.last, ending <= times.watermark(newest) { return times.dropLate() }
      let watermark = times.watermark(newest(with: time))
      held.value.removeFirst(held.value.times.partitioningIndex { end($0) > watermark })
      guard insert(payload, at: time, output) else { return }
      let first = held.value.times.partitioningIndex { end($0) >= ending }
      output.send(value: .value(.array(Array(held.value.values[first..<held.value.count(before: ending)]))))
    }
  }

  /// Returns the newest time, that of an arriving value included.
  private func newest(with time: Int64) -> Int64 { held.value.times.last.map { max($0, time) } ?? time }

  /// Inserts a value within the bound; false if that leaves it out.
  private func insert(_ payload: Payload, at time: Int64, _ output: StreamObserver) -> Bool {
    let isOldest = held.value.times.first.map { time < $0 } ?? false
    let isTaken = bound.makeRoom(among: held.value.values.count, isOldest: isOldest, output) {
      held.value.removeFirst(1)
    }
    if isTaken { held.value.insert(payload.value, at: time) }
    return isTaken
  }
}
