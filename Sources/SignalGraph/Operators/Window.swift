import JSON
import ReactiveCore

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
    dependence: .memory,
    example: OperatorExample(
      "window: {count: 2}", in: "1-2-3|", out: "a-b-c|", values: "{a: [1], b: [1, 2], c: [2, 3]}"),
    check: { count, time, every, zone, _ in
      let bounds = [count != nil, time != nil, every != nil].count { $0 }
      if bounds != 1 { return "give exactly one of count, time and every" }
      return zone != nil && every == nil ? "timezone requires every" : nil
    }
  ) { input, context, count, time, every, zone, partial in
    if let every { return input.window(of: context.calendar(every, zone), context) }
    guard let count else {
      let (scheduler, age) = (context.scheduler(), time ?? .zero)
      return input.scanMap(into: TimedWindow()) { window, payload in
        let now = scheduler.currentDate
        window.append(payload.value, at: now, after: now - age)
        return .value(.array(window.values))
      }
    }
    let lists = input.scanMap(into: CountedWindow()) { window, payload -> Payload? in
      window.append(payload.value, keeping: count)
      return partial || window.values.count == count ? .value(.array(window.values)) : nil
    }
    return lists.compactMap { $0 }
  }
}

extension Signal where Value == Payload, Failure == SignalFailure {
  /// Emits after each value the list of those in its period, which ends at a calendar event.
  fileprivate func window(of calendar: Calendar, _ context: OperatorContext) -> Stream {
    let values = context.cell([JSONValue]())
    let alarm = CalendarAlarm(context, calendar, repeatingAfter: .zero) { alarm, _ in values.value = [] }
    context.body.onEnd { alarm.dispose() }
    return through(
      value: { payload, output in
        alarm.passIfDue()
        if !alarm.isSet { alarm.wait() }
        values.value.append(payload.value)
        output.send(value: .value(.array(values.value)))
      },
      ending: { $1.send($0) })
  }
}
