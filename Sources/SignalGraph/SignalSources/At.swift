import JSON
import ReactiveCore

extension SourceDeclaration {
  static let at = SourceDeclaration(
    "at", "Emits each of some times of the calendar when it comes, and completes with the last.", kind: .source,
    Parameter<CalendarTimes>("times", "the times, in systemd's notation", .plain),
    Parameter<TimeZoneName?>(
      "timezone", "the zone of times that name none, such as Europe/Berlin; the machine's by default", .free,
      initial: .some(nil)),
    Parameter<MissedPolicy>(
      "missed", "whether a time over which the clock has gone is made up for: the last one, once", .free, initial: .run)
  ) { context, times, zone, missed in
    let calendar = context.calendar(times, zone)
    return Stream { output, lifetime in
      let alarm = CalendarAlarm(context, calendar, repeatingAfter: correction) { alarm, moment in
        let goesOn = alarm.wait()
        if missed == .run || context.clock.civilMicroseconds - moment <= patience {
          output.send(value: .value(.string(calendar.text(of: moment))))
        }
        if !goesOn { output.sendCompleted() }
      }
      lifetime += alarm
      context.onStart {
        if !alarm.wait() { output.sendCompleted() }
      }
    }
  }

  /// A clock that is set back by less makes no time come twice; by more it had been wrong, as for cron.
  private static let correction = Duration.seconds(3 * 3600)
  /// A time that comes so late at most, in microseconds, was not missed: the machine was busy, or the clock is right now.
  private static let patience: Int64 = 60_000_000
}

/// The treatment of times of which nobody took notice when they came.
enum MissedPolicy: String, WordParameter {
  case run, skip
}
