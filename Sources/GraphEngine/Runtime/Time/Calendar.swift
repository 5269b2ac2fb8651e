import Base
package import GraphModel

/// Times of the calendar in their zones, as moments in microseconds since 1970.
package struct Calendar {
  let events: [CalendarEvent]
  /// The zone of events that name none; `nil` for the machine's.
  let zone: String?
  /// True if the hour that clocks repeat in autumn counts twice.
  var repeatsHours = false
  let engine: GraphEngine

  private func zone(of event: CalendarEvent) -> TimeZone {
    engine.timeZones[event.zoneName ?? zone ?? ""] ?? .utc
  }

  /// Returns the first of them after a moment.
  package func next(after moment: Int64) -> Int64? {
    events.compactMap { next(of: $0, after: moment) }.min()
  }

  private func next(of event: CalendarEvent, after moment: Int64) -> Int64? {
    let zone = zone(of: event)
    let location = engine.location
    return repeatsHours
      ? event.nextElapsed(after: moment, in: zone, at: location) : event.next(after: moment, in: zone, at: location)
  }

  /// Returns the last of them up to `end`; `first` is one of them.
  func last(from first: Int64, through end: Int64) -> Int64 {
    let lasts = events.compactMap { event -> Int64? in
      let (zone, location) = (zone(of: event), engine.location)
      guard let next = event.next(after: first - 1, in: zone, at: location), next <= end else { return nil }
      return event.last(from: next, through: end, in: zone, at: location)
    }
    return lasts.max() ?? first
  }

  /// Returns one of them in local time, in the form of RFC 3339.
  package func text(of moment: Int64) -> String {
    let event = events.first { next(of: $0, after: moment - 1) == moment }
    return RFC3339.text(microseconds: moment, in: event.map(zone(of:)) ?? .utc)
  }
}

extension OperatorContext {
  /// Returns the times of a parameter, in the zone of another one.
  package func calendar(_ times: CalendarTimes, _ zone: TimeZoneName?, skipped: CatchUpPolicy) -> Calendar {
    var events = times.events
    for index in events.indices { events[index].runsSkippedTimes = skipped == .run }
    return Calendar(events: events, zone: zone?.name, engine: engine)
  }

  /// Returns the ends of the periods of a parameter.
  package func calendar(_ period: CalendarPeriod, _ zone: TimeZoneName?) -> Calendar {
    Calendar(events: [period.event], zone: zone?.name, repeatsHours: true, engine: engine)
  }
}
