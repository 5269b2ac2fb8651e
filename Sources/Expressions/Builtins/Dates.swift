internal import Base
internal import JSON

/// Dates and times.
extension Builtin {
  private static let iso8601 = "%Y-%m-%dT%H:%M:%SZ"

  static let dates: [Builtin] = [
    Builtin(
      "gmtime", [], "The broken down time, in UTC, of seconds since 1970.",
      Example("gmtime", "1425599507", "[2015,2,5,23,51,47,4,63]"),
      .value { input, _ throws(ExpressionError) in
        .array(try BrokenDownTime(seconds: try seconds(input, "gmtime")).value)
      }),
    Builtin(
      "localtime", [], "The broken down time in the daemon's own zone (TZ, or /etc/localtime) of seconds since 1970.",
      Example("localtime | length", "0", "8"),
      .local { input, _, zone, _ throws(ExpressionError) in
        .array(try BrokenDownTime(seconds: try seconds(input, "localtime"), in: zone).value)
      }),
    Builtin(
      "mktime", [], "The seconds since 1970 of a broken down time in UTC.",
      Example("mktime", "[2015,2,5,23,51,47,4,63]", "1425599507"),
      .value { input, _ throws(ExpressionError) in
        guard case .array = input else { throw .badValue("mktime requires array inputs") }
        return .number(try BrokenDownTime(input, for: "mktime").seconds())
      }),
    Builtin(
      "strftime", ["format"], "The text of a time, in UTC, by the C library's strftime.",
      Example("strftime(\"%d.%m.%Y\")", "[2015,2,5,23,51,47,4,63]", "\"05.03.2015\""),
      .value1 { input, argument, environment throws(ExpressionError) in
        let (format, time) = try formatted(input, argument, "strftime/1", environment)
        guard let text = time.text(format) else { throw .badValue("strftime/1: unknown system failure") }
        return .string(text)
      }),
    Builtin(
      "strflocaltime", ["format"],
      "The text of a time, in the daemon's own zone (TZ, or /etc/localtime), by the C library's strftime.",
      Example("strflocaltime(\"%d.%m.%Y\")", "[2015,2,5,23,51,47,4,63]", "\"05.03.2015\""),
      .local { input, argument, zone, environment throws(ExpressionError) in
        let (format, time) = try formatted(input, argument, "strflocaltime/1", arraysIn: zone, environment)
        guard let text = time.text(format, in: zone) else {
          throw .badValue("strflocaltime/1: unknown system failure")
        }
        return .string(text)
      }),
    Builtin(
      "strftime", ["format", "zone"],
      "The text of a time in a time zone, by the C library's strftime; an array is a broken down time in UTC.",
      Example("strftime(\"%H:%M %Z\"; \"Europe/Berlin\")", "1425599507", "\"00:51 CET\""),
      .zoned { input, argument, zone, environment throws(ExpressionError) in
        let (format, time) = try formatted(input, argument, "strftime/2", environment)
        guard let text = time.text(format, in: zone) else { throw .badValue("strftime/2: unknown system failure") }
        return .string(text)
      }),
    Builtin(
      "strptime", ["format"], "The broken down time, in UTC, that a string says, by the C library's strptime and `%f`.",
      Example("strptime(\"%Y-%m-%d\")", "\"2015-03-05\"", "[2015,2,5,0,0,0,4,63]"),
      .value1 { input, format, environment throws(ExpressionError) in try parse(input, format, environment) }),
    Builtin(
      "todate", [], "The date in ISO 8601 of seconds since 1970.",
      Example("todate", "1425599507", "\"2015-03-05T23:51:47Z\""), .definition("todateiso8601")),
    Builtin(
      "fromdate", [], "The seconds since 1970 of a moment as RFC 3339 has it, with any offset and fraction.",
      Example("fromdate", "\"2015-03-05T23:51:47Z\"", "1425599507"), .definition("fromdateiso8601")),
    Builtin(
      "todateiso8601", [], "An alias of `todate`.", Example("todateiso8601", "0", "\"1970-01-01T00:00:00Z\""),
      .definition("strftime(\"\(iso8601)\")")),
    Builtin(
      "fromdateiso8601", [], "An alias of `fromdate`.", Example("fromdateiso8601", "\"1970-01-01T00:00:01Z\"", "1"),
      .value { input, environment throws(ExpressionError) in try moment(input, environment) }),
  ]

  private static func seconds(_ input: JSONValue, _ name: String) throws(ExpressionError) -> Double {
    guard let seconds = input.asNumber else { throw .badValue("\(name)() requires numeric inputs") }
    return seconds
  }

  /// Returns the format and the time, in UTC, of a function that formats one; charges for both.
  ///
  /// - Parameter zone: The zone of a broken down time.
  private static func formatted(
    _ input: JSONValue, _ format: JSONValue, _ name: String, arraysIn zone: TimeZone = .utc, _ environment: Environment
  ) throws(ExpressionError) -> (format: String, time: BrokenDownTime) {
    guard let format = format.asString else { throw .badValue("\(name) requires a string format") }
    try environment.charge(bytes: 4096)
    try environment.charge(characters: 4 * format.utf8.count)
    if let seconds = input.asNumber { return (format, try BrokenDownTime(seconds: seconds)) }
    return (format, try BrokenDownTime(input, for: name, in: zone))
  }

  /// Returns the time zone of a computed name.
  ///
  /// Each look-up is charged as if it read the zone's file, so that the cost does not depend on earlier ones.
  static func zone(_ name: JSONValue, _ environment: Environment) throws(ExpressionError) -> TimeZone {
    guard let name = name.asString else { throw .badValue("a time zone is a string, such as \"Europe/Berlin\"") }
    try environment.charge(bytes: 16 << 10)
    guard let zone = MachineZones.shared.zone(named: name) else {
      throw .badValue("no time zone \(JSONValue.string(name).excerpt) on this machine")
    }
    return zone
  }

  /// The seconds of a moment; forms beyond RFC 3339 are parsed as in jq, by the C library.
  private static func moment(
    _ input: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> JSONValue {
    if let text = input.asString {
      try environment.charge(characters: 4 * text.utf8.count)
      if let microseconds = RFC3339.microseconds(of: text) { return .number(Double(microseconds) / 1_000_000) }
    }
    return .number(try BrokenDownTime(parse(input, .string(iso8601), environment), for: "mktime").seconds())
  }

  private static func parse(
    _ input: JSONValue, _ format: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> JSONValue {
    guard let text = input.asString, let format = format.asString else {
      throw .badValue("strptime/1 requires string inputs and arguments")
    }
    try environment.charge(characters: 4 * text.utf8.count + 4 * format.utf8.count)
    guard let (time, rest) = try BrokenDownTime.parse(text, format) else {
      throw .badValue("date \"\(text)\" does not match format \"\(format)\"")
    }
    return .array(time.value + (rest.isEmpty ? [] : [.string(rest)]))
  }
}
