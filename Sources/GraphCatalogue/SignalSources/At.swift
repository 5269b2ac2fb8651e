import GraphEngine
import GraphModel
import JSON
import Signals

extension SourceDeclaration {
  static let at = SourceDeclaration(
    "at", "Emits at times of the calendar, and completes with the last.", kind: .source,
    Parameter<CalendarTimes>(
      "times", "the times, in systemd's notation; also sunrise, sunset, dawn or dusk in place of the time of day",
      .plain),
    Parameter<TimeZoneName?>(
      "timezone", "the time zone of times without one, such as Europe/Berlin; default: that of the machine", .free,
      initial: .some(nil)),
    Parameter<CatchUpPolicy>(
      "missed", "catch up, once, on the last time that was missed while the clock was stopped or set", .free,
      initial: .run),
    Parameter<CatchUpPolicy>(
      "skipped", "catch up on a time that clocks skip when they go forward, at the moment of the change", .free,
      initial: .skip)
  ) { context, times, zone, missed, skipped in
    let calendar = context.calendar(times, zone, skipped: skipped)
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
  .alsoKnown(as: "cron", "calendar", "schedule", "crontab", "OnCalendar", "time of day", "daily")

  /// The largest backward step of the clock that repeats no times; a larger one means that the clock was wrong, as for
  /// cron.
  private static let correction = Duration.seconds(3 * 3600)
  /// The lateness, in microseconds, up to which a time was not missed: the machine was busy, or the clock was
  /// corrected.
  private static let patience: Int64 = 60_000_000
}
