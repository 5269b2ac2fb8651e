import JSON
import ReactiveCore

extension OperatorDeclaration {
  static let window = OperatorDeclaration(
    "window", "Emits the list of the last values after each value.",
    Parameter<Int?>("count", "how many values the list holds", initial: .some(nil), minimum: 1),
    Parameter<Duration?>("time", "how old a value of the list may be", initial: .some(nil)),
    Parameter<CalendarPeriod?>("every", "begin a new list with each of these periods", initial: .some(nil)),
    Parameter<TimeZoneName?>("timezone", "with every, the zone of the calendar", initial: .some(nil)),
    Parameter<Bool>("partial", "emit before the list is full, too", initial: true),
    example: OperatorExample(
      "window: {count: 2}", in: "1-2-3|", out: "a-b-c|", values: "{a: [1], b: [1, 2], c: [2, 3]}"),
    check: { count, time, every, zone, _ in
      let bounds = [count != nil, time != nil, every != nil].count { $0 }
      if bounds != 1 { return "give one of count, time and every" }
      return zone != nil && every == nil ? "timezone goes with every" : nil
    }
  ) { input, context, count, time, every, zone, partial in
    if let every { return input.window(of: context.calendar(every, zone), context) }
    let lists =
      if let count {
        input.window(count: count, partial: partial)
      } else {
        input.window(time ?? .zero, on: context.scheduler())
      }
    return lists.map { list in .value(.array(list.map(\.value))) }
  }
}

extension Signal where Value == Payload, Failure == SignalFailure {
  /// After each value those of the same period, which ends with a time of a calendar.
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
