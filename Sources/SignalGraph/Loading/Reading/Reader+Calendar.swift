import Base

extension Reader {
  /// Reads a calendar event in systemd's notation, or one of the given words for an event.
  func calendarEvent(_ words: [String: String] = [:]) -> CalendarEvent? {
    guard let text = text(), !isOpen else { return nil }
    let isCron = !text.contains(":") && text.split(separator: " ").count == 5
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
    if event.zoneName == nil { context.timeZones.noteLocalZone() }
    // A time in a past year has occurred once; the 30th of February never has.
    guard event.next(after: 0, in: .utc) != nil else {
      problems.error("\"\(text)\" never occurs: no such day", at: node)
      return nil
    }
    return event
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
