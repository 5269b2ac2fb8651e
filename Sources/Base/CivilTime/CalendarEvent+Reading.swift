/// A syntax error in the text of a calendar event.
package struct CalendarSyntaxError: Error, Equatable {
  package let message: String
  /// Its byte offset in the text.
  package let offset: Int
  /// The unknown word, and the known ones.
  package var word: String?
  package var known: [String] = []
}

extension CalendarEvent {
  /// Parses systemd's notation.
  package init(_ text: String) throws(CalendarSyntaxError) {
    var reader = CalendarReader(text)
    self = try reader.event()
  }

  /// The words that denote a whole event.
  package static let words: [String] = shorthands.map(\.word)

  private static let shorthands: [(word: String, meaning: String)] = [
    ("minutely", "*-*-* *:*:00"), ("hourly", "*-*-* *:00:00"), ("daily", "*-*-* 00:00:00"),
    ("weekly", "Mon *-*-* 00:00:00"), ("monthly", "*-*-01 00:00:00"), ("quarterly", "*-01,04,07,10-01 00:00:00"),
    ("semiannually", "*-01,07-01 00:00:00"), ("semi-annually", "*-01,07-01 00:00:00"),
    ("biannually", "*-01,07-01 00:00:00"), ("bi-annually", "*-01,07-01 00:00:00"),
    ("yearly", "*-01-01 00:00:00"), ("annually", "*-01-01 00:00:00"),
  ]

  fileprivate static func meaning(of word: String) -> String? { shorthands.first { $0.word == word }?.meaning }
}

private struct CalendarReader {
  private static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
  /// The maximum number of elements of a list.
  private static let longestList = 240
  private static let second: Int64 = 1_000_000

  private var bytes: ArraySlice<UInt8>
  private let text: String

  init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8)[...]
  }

  // MARK: Events

  mutating func event() throws(CalendarSyntaxError) -> CalendarEvent {
    let zone = cutZone()
    var event: CalendarEvent
    if let meaning = CalendarEvent.meaning(of: rest.lowercased()) {
      event = try CalendarEvent(meaning)
    } else if first == "@" {
      event = try moment()
    } else {
      event = CalendarEvent()
      try readFields(&event)
    }
    if let zone {
      if event.zoneName != nil { throw error("a moment by the second has no time zone") }
      event.zoneName = zone
    }
    return event
  }

  private mutating func readFields(_ event: inout CalendarEvent) throws(CalendarSyntaxError) {
    if bytes.isEmpty { throw error("missing time") }
    if sunEvent == nil { try readWeekdays(&event) }
    if bytes.isEmpty { return midnight(&event) }
    if sunEvent == nil, isDate { try readDate(&event) }
    if bytes.isEmpty { return midnight(&event) }
    if let sunEvent { return event.sunTime = try sunTime(sunEvent) }
    try readTime(&event)
    guard bytes.isEmpty else { throw error("unexpected \(shown)") }
  }

  private var rest: String { String(decoding: bytes, as: UTF8.self) }

  private var first: Unicode.Scalar? { bytes.first.map { Unicode.Scalar($0) } }

  private var shown: String {
    guard let character = rest.first else { return "end" }
    return "'\(character)'"
  }

  private func error(_ message: String) -> CalendarSyntaxError {
    CalendarSyntaxError(message: message, offset: bytes.startIndex)
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard first == character else { return false }
    bytes = bytes.dropFirst()
    return true
  }

  private mutating func skip(_ word: String) -> Bool {
    guard bytes.starts(with: word.utf8) else { return false }
    bytes = bytes.dropFirst(word.utf8.count)
    return true
  }

  private mutating func skipSpaces() { bytes = bytes.drop { $0 == UInt8(ascii: " ") } }

  /// Removes the last word if it looks like the name of a time zone: `UTC`, `Europe/Berlin`, `CET`.
  private mutating func cutZone() -> String? {
    guard let space = bytes.lastIndex(of: UInt8(ascii: " ")) else { return nil }
    let word = String(decoding: bytes[(space + 1)...], as: UTF8.self)
    guard let letter = word.unicodeScalars.first, letter.properties.isAlphabetic, space > bytes.startIndex,
      !word.contains(where: ":~*".contains), SunEvent(rawValue: word.lowercased()) == nil
    else { return nil }
    bytes = bytes[..<space]
    return word
  }

  /// Parses `@` and seconds since 1970.
  private mutating func moment() throws(CalendarSyntaxError) -> CalendarEvent {
    _ = skip("@")
    let microseconds = try number(withFraction: true)
    guard bytes.isEmpty else { throw error("unexpected \(shown)") }
    let (day, time) = microseconds.divided(by: 86_400 * Self.second)
    let date = CivilDate(dayNumber: day)
    guard date.year <= CalendarEvent.lastYear else { throw error("\(CalendarEvent.lastYear) is the last year") }
    func exactly(_ number: Int64) -> CalendarEvent.Field { .init(ranges: [.init(start: number)]) }
    var event = CalendarEvent()
    (event.years, event.months, event.days) = (exactly(date.year), exactly(date.month), exactly(date.day))
    event.hours = exactly(time / (3600 * Self.second))
    event.minutes = exactly(time / (60 * Self.second) % 60)
    event.microseconds = exactly(time % (60 * Self.second))
    event.zoneName = "UTC"
    return event
  }
}

// MARK: - Weekdays

extension CalendarReader {
  private var isLetter: Bool { bytes.first.map(isLetter) ?? false }

  private func isLetter(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte | 0x20 }

  private mutating func readWeekdays(_ event: inout CalendarEvent) throws(CalendarSyntaxError) {
    guard isLetter else { return }
    event.weekdays = 0
    repeat {
      let start = try weekday()
      var end = start
      if skip("..") || skip("-") { end = try weekday() }
      guard start <= end else { throw error("a range of weekdays must be within one week, from Monday to Sunday") }
      for day in start...end { event.weekdays |= 1 << day }
    } while skip(",") && isLetter
    guard bytes.isEmpty || first == " " else { throw error("unexpected \(shown)") }
    skipSpaces()
  }

  private mutating func weekday() throws(CalendarSyntaxError) -> Int {
    let letters = bytes.prefix(while: isLetter)
    let word = String(decoding: letters, as: UTF8.self)
    let lower = word.lowercased()
    guard let day = Self.weekdays.firstIndex(where: { $0 == lower || $0.prefix(3) == lower }) else {
      var error = error(word.isEmpty ? "missing weekday" : "unknown word \"\(word)\"")
      if !word.isEmpty {
        error.word = lower
        error.known =
          Self.weekdays.map { String($0.prefix(3)) } + Self.weekdays + CalendarEvent.words
          + SunEvent.allCases.map(\.rawValue)
      }
      throw error
    }
    bytes = bytes.dropFirst(letters.count)
    return day
  }
}

// MARK: - The sun

extension CalendarReader {
  /// The event of the sun that the next word names.
  private var sunEvent: SunEvent? {
    let word = bytes.prefix(while: isLetter)
    return SunEvent(rawValue: String(decoding: word, as: UTF8.self).lowercased())
  }

  /// Parses an event of the sun and an offset: `sunrise`, `sunset + 1h30m`.
  private mutating func sunTime(_ event: SunEvent) throws(CalendarSyntaxError) -> SunTime {
    bytes = bytes.dropFirst(event.rawValue.utf8.count)
    skipSpaces()
    if bytes.isEmpty { return SunTime(event: event) }
    let isBefore = skip("-")
    guard isBefore || skip("+") else { throw error("expected \"+\" or \"-\" and a duration, found \(shown)") }
    skipSpaces()
    guard let duration = DurationText.duration(rest), duration <= SunTime.longestOffset else {
      throw error("expected a duration of at most 12h, such as 30m, found \(bytes.isEmpty ? "end" : "\"\(rest)\"")")
    }
    bytes = []
    let offset = duration.wholeMicroseconds
    return SunTime(event: event, offset: isBefore ? -offset : offset)
  }
}

// MARK: - Dates and times

extension CalendarReader {
  /// True if the next word is a date.
  private var isDate: Bool {
    bytes.prefix { $0 != UInt8(ascii: " ") }.contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "~") }
  }

  private mutating func readDate(_ event: inout CalendarEvent) throws(CalendarSyntaxError) {
    let start = bytes
    // A month and a day, or a year before them: the second separator decides.
    _ = try field(anything: true)
    guard try !separator() else {
      bytes = start
      return try readMonth(&event)
    }
    _ = try field(anything: true)
    let hasYear = first == "-" || first == "~"
    bytes = start
    if hasYear {
      event.years = try field(within: 1970...CalendarEvent.lastYear, called: "a year", isYear: true)
      _ = skip("-")
    }
    try readMonth(&event)
  }

  private mutating func readMonth(_ event: inout CalendarEvent) throws(CalendarSyntaxError) {
    event.months = try field(within: 1...12, called: "a month")
    event.countsDaysFromEnd = try separator()
    // Every month has the last 28 days.
    let name = event.countsDaysFromEnd ? "a day from the end" : "a day"
    event.days = try field(
      within: 1...(event.countsDaysFromEnd ? 28 : 31), called: name, isFromEnd: event.countsDaysFromEnd)
    guard bytes.isEmpty || first == " " else { throw error("unexpected \(shown)") }
    skipSpaces()
  }

  /// Consumes `-` or `~` between two fields of a date.
  ///
  /// - Returns: true for `~`.
  private mutating func separator() throws(CalendarSyntaxError) -> Bool {
    if skip("~") { return true }
    if skip("-") { return false }
    throw error("expected \"-\", found \(shown)")
  }

  private mutating func readTime(_ event: inout CalendarEvent) throws(CalendarSyntaxError) {
    event.hours = try field(within: 0...23, called: "an hour")
    guard skip(":") else { throw error("expected \":\" and minutes, found \(shown)") }
    event.minutes = try field(within: 0...59, called: "a minute")
    event.microseconds = .init(ranges: [.init(start: 0)])
    if skip(":") { event.microseconds = try seconds() }
  }

  private func midnight(_ event: inout CalendarEvent) {
    let zero = CalendarEvent.Field(ranges: [.init(start: 0)])
    (event.hours, event.minutes, event.microseconds) = (zero, zero, zero)
  }
}

// MARK: - Fields

extension CalendarReader {
  /// Parses numbers, ranges and repetitions; `*` for any.
  private mutating func field(
    within bounds: ClosedRange<Int64> = 0 ... .max, called name: String = "a number", isYear: Bool = false,
    isFromEnd: Bool = false, anything: Bool = false, areSeconds: Bool = false
  ) throws(CalendarSyntaxError) -> CalendarEvent.Field {
    if skip("*") {
      try endField()
      guard areSeconds else { return .any }
      return .init(ranges: [.init(start: 0, stop: nil, step: Self.second)])
    }
    var ranges: [CalendarEvent.Range] = []
    repeat {
      let place = bytes
      let range = try range(isYear: isYear, areSeconds: areSeconds)
      if !anything, let complaint = range.complaint(within: bounds, name, isFromEnd, areSeconds) {
        bytes = place
        throw error(complaint)
      }
      ranges.append(range)
      if ranges.count > Self.longestList { throw error("a list may have at most \(Self.longestList) elements") }
    } while skip(",")
    try endField()
    return .init(ranges: ranges)
  }

  private mutating func seconds() throws(CalendarSyntaxError) -> CalendarEvent.Field {
    try field(within: 0...(60 * Self.second - 1), called: "a second", areSeconds: true)
  }

  private func endField() throws(CalendarSyntaxError) {
    guard let first, !" -~:".unicodeScalars.contains(first) else { return }
    throw error("unexpected \(shown)")
  }

  private mutating func range(isYear: Bool, areSeconds: Bool) throws(CalendarSyntaxError) -> CalendarEvent.Range {
    func full(_ year: Int64) -> Int64 { isYear && year < 100 ? year + (year < 70 ? 2000 : 1900) : year }
    var range = CalendarEvent.Range(start: full(try number(withFraction: areSeconds)), stop: nil)
    if skip("..") {
      range.stop = full(try number(withFraction: areSeconds))
      range.step = areSeconds ? Self.second : 1
    }
    if skip("/") {
      range.step = try number(withFraction: areSeconds)
      if range.step == 0 { throw error("a repetition of 0 never ends") }
    } else if areSeconds, let stop = range.stop, range.start...range.start + Self.second - 1 ~= stop {
      throw error("a range of seconds must span at least one second")
    }
    guard let stop = range.stop, range.start <= stop else { return range }
    // It ends with the last of its numbers, which may be the first.
    range.stop = stop - (stop - range.start) % range.step
    if range.stop == range.start { (range.stop, range.step) = (nil, 0) }
    return range
  }

  /// Parses an integer; with fractions of six digits, in millionths, rounded.
  private mutating func number(withFraction: Bool) throws(CalendarSyntaxError) -> Int64 {
    let whole = try digits()
    guard withFraction else { return whole }
    var value = whole * Self.second
    guard first == ".", bytes.dropFirst().first.map({ 0x30...0x39 ~= $0 }) ?? false else { return value }
    bytes = bytes.dropFirst()
    let fraction = bytes.prefix { 0x30...0x39 ~= $0 }
    bytes = bytes.dropFirst(fraction.count)
    var unit = Self.second / 10
    for digit in fraction.prefix(6) {
      value += Int64(digit - 0x30) * unit
      unit /= 10
    }
    if let next = fraction.dropFirst(6).first, next >= 0x35 { value += 1 }
    return value
  }

  private mutating func digits() throws(CalendarSyntaxError) -> Int64 {
    let digits = bytes.prefix { 0x30...0x39 ~= $0 }
    guard !digits.isEmpty else { throw error("expected a number, found \(shown)") }
    guard digits.count <= 10 else { throw error("the number is too large") }
    bytes = bytes.dropFirst(digits.count)
    return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }
}

extension CalendarEvent.Range {
  /// Returns the reason for which it is not allowed in a field.
  fileprivate func complaint(
    within bounds: ClosedRange<Int64>, _ name: String, _ isFromEnd: Bool, _ areSeconds: Bool
  ) -> String? {
    let unit: Int64 = areSeconds ? 1_000_000 : 1
    let largest = bounds.upperBound / unit
    guard bounds.contains(start), stop.map(bounds.contains) ?? true else {
      return "\(name) is \(bounds.lowerBound) to \(largest)"
    }
    if let stop { return stop < start ? "a range must be ascending" : nil }
    guard step > 0 else { return nil }
    let isTooLong = isFromEnd ? start - step < bounds.lowerBound : start + step > bounds.upperBound
    return isTooLong ? "repetition exceeds the range: \(name) is \(bounds.lowerBound) to \(largest)" : nil
  }
}
