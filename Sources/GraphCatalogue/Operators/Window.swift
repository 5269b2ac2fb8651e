import GraphEngine
import GraphModel
import JSON
import Signals

/// The changes of a window after which its list is emitted.
enum WindowEmission: String, WordParameter {
  /// Values that enter.
  case arrivals
  /// Values that enter, and values that leave.
  case both
}

extension OperatorDeclaration {
  static let window = OperatorDeclaration(
    "window", "Emits the list of the last values after each value.",
    Parameter<Int?>("count", "the length of the list", initial: .some(nil), minimum: 1),
    Parameter<Duration?>(
      "time", "keep values younger than this; a value exactly this old has left", initial: .some(nil)
    ),
    Parameter<CalendarPeriod?>("every", "start a new list with each of these periods", initial: .some(nil)),
    Parameter<TimeZoneName?>("timezone", "with every, the time zone of the calendar", initial: .some(nil)),
    Parameter<Bool>("partial", "also emit before the list is full", initial: true),
    Parameter<WindowEmission>(
      "emit", "emit after each value, or, with time or every, also after values have left", initial: .arrivals),
    Parameter<GraphExpression?>(
      "timestamp", "with time or every, the time that a value carries, which counts instead of its arrival",
      initial: .some(nil)),
    Parameter<Duration>("lateness", "with timestamp, how much later than a newer value one may arrive", initial: .zero),
    Parameter<Int>("limit", "with time or every, the capacity of the list", initial: defaultHolding, minimum: 1),
    Parameter<OverflowPolicy>("overflow", "at the limit, fail or drop the oldest or newest value", initial: .fail),
    dependence: .memory,
    example: OperatorExample(
      "window: {count: 2}", in: "1-2-3|", out: "a-b-c|", values: "{a: [1], b: [1, 2], c: [2, 3]}"),
    check: { count, time, every, zone, _, emission, timestamp, lateness, limit, overflow in
      let bounds = [count != nil, time != nil, every != nil].count { $0 }
      if bounds != 1 { return "give exactly one of count, time and every" }
      if count != nil, limit != defaultHolding || overflow != .fail {
        return "limit and overflow require time or every"
      }
      if emission == .both, count != nil { return "emit: both requires time or every" }
      if timestamp != nil, count != nil { return "timestamp requires time or every" }
      if timestamp != nil, emission == .both { return "emit: both and timestamp exclude each other" }
      if lateness != .zero, timestamp == nil { return "lateness requires timestamp" }
      if lateness != .zero, let time, lateness >= time { return "lateness has to be shorter than time" }
      return zone != nil && every == nil ? "timezone requires every" : nil
    }
  ) { input, context, count, time, every, zone, partial, emission, timestamp, lateness, limit, overflow in
    let bound = ListBound(limit, overflow, since: .third, context)
    if let timestamp {
      let window = EventTimeWindow(EventTimes(timestamp, lateness: lateness, context), bound, context)
      if let every { return window.lists(of: input, in: context.calendar(every, zone)) }
      return window.lists(of: input, youngerThan: time ?? .zero)
    }
    if let every { return input.window(of: context.calendar(every, zone), emission, bound, context) }
    guard let count else {
      let age = time ?? .zero
      if emission == .both { return input.window(expiringAfter: age, bound, context) }
      let window = context.cell(TimedWindow())
      return input.through { payload, output in
        let now = context.clock.now
        guard window.value.append(payload.value, at: now, after: now - age, within: bound, output) else { return }
        output.send(value: .value(.array(window.value.values)))
      }
    }
    let lists = input.scanMap(into: CountedWindow()) { window, payload -> Payload? in
      window.append(payload.value, keeping: count)
      return partial || window.values.count == count ? .value(.array(window.values)) : nil
    }
    return lists.compactMap { $0 }
  }
  .alsoKnown(
    as: "moving average", "rolling", "rolling average", "sliding window", "sliding", "smooth", "last n", "event time",
    "watermark", "late values", "out of order")
}

extension Signal where Value == Payload, Failure == SignalFailure {
  /// Emits the list of the values younger than `age` whenever it changes.
  fileprivate func window(
    expiringAfter age: Duration, _ bound: ListBound, _ context: OperatorContext
  ) -> Stream {
    let window = context.cell(TimedWindow())
    return Stream { output, lifetime in
      let alarm = Alarm(context) { alarm, due in
        // Where the timer is late, values that leave later are left to timers of their own.
        let hasChanged = window.value.expire(through: context.clock.moment(ofTimerDue: due), after: age)
        if let next = window.value.nextExpiry(after: age) { alarm.set(at: next) }
        if hasChanged { output.send(value: .value(.array(window.value.values))) }
      }
      lifetime += alarm
      lifetime += observe(
        StreamObserver(
          value: { payload in
            let now = context.clock.now
            let first = window.value.nextExpiry(after: age)
            guard window.value.append(payload.value, at: now, after: now - age, within: bound, output) else { return }
            let next = window.value.nextExpiry(after: age) ?? now
            if next != first || !alarm.isSet { alarm.set(at: next) }
            output.send(value: .value(.array(window.value.values)))
          },
          ending: { output.send($0) }))
    }
  }

  /// Emits after each value the list of those in its period, which ends at a calendar event.
  fileprivate func window(
    of calendar: Calendar, _ emission: WindowEmission, _ bound: ListBound, _ context: OperatorContext
  ) -> Stream {
    let values = context.cell([JSONValue]())
    return Stream { output, lifetime in
      var isArriving = false
      let alarm = CalendarAlarm(context, calendar, repeatingAfter: .zero) { _, _ in
        let hasChanged = !values.value.isEmpty
        values.value = []
        // The value that arrives at the very end of a period begins the next list.
        if emission == .both, hasChanged, !isArriving { output.send(value: .value(.array([]))) }
      }
      lifetime += alarm
      lifetime += observe(
        StreamObserver(
          value: { payload in
            isArriving = true
            alarm.passIfDue()
            isArriving = false
            if !alarm.isSet { alarm.wait() }
            let isTaken = bound.makeRoom(among: values.value.count, output) { values.value.removeFirst() }
            if !isTaken { return }
            values.value.append(payload.value)
            output.send(value: .value(.array(values.value)))
          },
          ending: { output.send($0) }))
    }
  }
}
