import Base
import GraphEngine
import GraphModel
import JSON
import Signals

/// Lists of values by the times that they carry, emitted when no value may come for them any more.
///
/// The time of the newest value runs on with the clock until a newer one arrives, so that the last list ends without
/// one. A list is over when that time is past its end by the lateness.
final class EventTimeLists {
  private let times: EventTimes
  private let bound: ListBound
  private let context: OperatorContext
  /// Returns the end of the list that begins with a value of a time.
  private let end: (Int64) -> Int64
  private let held: Cell<TimestampedValues>

  init(
    _ times: EventTimes, _ bound: ListBound, _ context: OperatorContext,
    endingAt end: @escaping (Int64) -> Int64
  ) {
    self.times = times
    self.bound = bound
    self.context = context
    self.end = end
    held = context.cell(TimestampedValues()) { $0.isSound }
  }

  /// Emits the lists of a signal's values.
  func lists(of input: Stream) -> Stream {
    Stream { output, lifetime in
      let alarm = Alarm(context) { [self] alarm, due in
        emit(through: watermark(at: context.clock.moment(ofTimerDue: due)), output)
        set(alarm)
      }
      lifetime += alarm
      lifetime += input.observe(
        StreamObserver(
          value: { [self] payload in
            add(payload, at: context.clock.now, output)
            set(alarm)
          },
          ending: { [self] ending in
            if case .completed = ending { emit(through: .max, output) }
            output.send(ending)
          }))
    }
  }

  private func add(_ payload: Payload, at now: Instant, _ output: StreamObserver) {
    // A list whose time is over at this very instant is emitted first, as its timer would.
    emit(through: watermark(at: now), output)
    guard let time = times.time(of: payload, refusingTo: output) else { return }
    if time < held.value.closed || end(time) <= watermark(at: now) { return times.dropLate() }
    held.value.see(time, at: now)
    emit(through: watermark(at: now), output)
    let isTaken = bound.makeRoom(among: held.value.values.count, output) { held.value.removeFirst(1) }
    if !isTaken { return }
    held.value.insert(payload.value, at: time)
  }

  /// Returns the time up to which lists are over.
  private func watermark(at now: Instant) -> Int64 {
    held.value.runningTime(at: now).map(times.watermark) ?? .min
  }

  private func emit(through watermark: Int64, _ output: StreamObserver) {
    while let first = held.value.times.first {
      let end = end(first)
      guard end <= watermark else { return }
      let count = held.value.count(before: end)
      let list = Array(held.value.values.prefix(count))
      held.value.removeFirst(count)
      held.value.closed = end
      output.send(value: .value(.array(list)))
    }
  }

  /// Waits for the end of the first list.
  private func set(_ alarm: Alarm) {
    guard let first = held.value.times.first, let newest = held.value.newest else { return alarm.cancel() }
    alarm.set(at: newest.arrival + .microseconds(end(first) - times.watermark(newest.time)))
  }
}
