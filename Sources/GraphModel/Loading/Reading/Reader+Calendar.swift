import Base

extension Reader {
  /// Reads a calendar event in systemd's notation, or one of the given words for an event.
  func calendarEvent(_ words: [String: String] = [:]) -> CalendarEvent? {
    guard let text = text(), !isOpen else { return nil }
    let parts = text.split(separator: " ")
    let isCron =
      !text.contains(":") && parts.count == 5 && !parts.contains { SunEvent(rawValue: $0.lowercased()) != nil }
    if isCron {
      problems.error(
        "this looks like cron notation; write a time as in \"Mon..Fri 06:30\", \"*:0/15\" or \"daily\"", at: node
      )
      return nil
    }
    let event: CalendarEvent
    do throws(CalendarSyntaxError) { event = try CalendarEvent(words[text] ?? text) } catch {
      refuse(error, of: text, knowing: words.keys.sorted())
      return nil
    }
    guard event.zoneName.map(isTimeZone) ?? true else { return nil }
    if event.zoneName == nil { _ = context.timeZones.localZone }
    return occurs(event, text) ? event : nil
  }

  /// Checks that an event occurs at all; reports the reason otherwise.
  private func occurs(_ event: CalendarEvent, _ text: String) -> Bool {
    if let sun = event.sunTime?.event, context.location == nil {
      if context.namesLocation { return true }
      problems.error(
        "\(sun) depends on the location of the machine; set server.location, as in {latitude: 52.52, longitude: 13.41}",
        at: node)
      return false
    }
    // A time in a past year has occurred once; the 30th of February never has.
    if event.next(after: 0, in: .utc, at: context.location) != nil { return true }
    let reason = event.sunTime.map { "no \($0.event) on these days at server.location" } ?? "no such day"
    problems.error("\"\(text)\" never occurs: \(reason)", at: node)
    return false
  }

  private func refuse(_ error: CalendarSyntaxError, of text: String, knowing words: [String]) {
    let isAsWritten = node.scalar?.text == text
    problems.error(
      "\(error.message) in the time \"\(text)\"", at: isAsWritten ? node.place(ofByte: error.offset) : place,
      suggestion: error.word.flatMap { Suggestion.likely(for: $0, among: words + error.known) })
  }

  /// Checks that the machine knows a time zone; reports an unknown one.
  func isTimeZone(_ name: String) -> Bool {
    if context.timeZones.zone(named: name) != nil { return true }
    let refusal = context.timeZones.refusal(of: name)
    problems.error(refusal.message, at: node, suggestion: refusal.suggestion)
    return false
  }
}
