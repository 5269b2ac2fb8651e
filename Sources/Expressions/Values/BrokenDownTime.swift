internal import Base
internal import COnig
internal import Glibc
internal import JSON

/// A time as `[year, month from 0, day, hour, minute, seconds, weekday from Sunday, day of the year from 0]`.
struct BrokenDownTime {
  private var fields = tm()
  /// The fractional seconds.
  private var fraction = 0.0

  private init(_ fields: tm, fraction: Double = 0) {
    self.fields = fields
    self.fraction = fraction
  }

  /// Converts seconds since 1970 to a time in a zone.
  init(seconds: Double, in zone: TimeZone = .utc) throws(ExpressionError) {
    let whole = seconds.rounded(.down)
    guard var time = time_t(exactly: whole) else { throw Self.unconvertible }
    time &+= Int(zone.offset(at: Int64(time)))
    guard gmtime_r(&time, &fields) != nil else { throw Self.unconvertible }
    fraction = seconds - whole
  }

  private static let unconvertible = ExpressionError.badValue(
    "error converting number of seconds since epoch to datetime")

  /// Reads the time of a zone in an array, whose end may be missing, and converts it to UTC; `purpose` is the calling
  /// function.
  ///
  /// A number beyond its usual range is carried over: hour 25 is an hour past midnight.
  init(_ value: JSONValue, for purpose: String, in zone: TimeZone = .utc) throws(ExpressionError) {
    let mismatch = ExpressionError.badValue("\(purpose) requires parsed datetime inputs")
    guard case .array(let items) = value else { throw mismatch }
    var numbers = [Int32](repeating: 0, count: 8)
    for (index, item) in items.prefix(numbers.count).enumerated() {
      guard let number = item.asNumber, !number.isNaN else { throw mismatch }
      numbers[index] = Self.clamped(index == 0 ? number - 1900 : number)
    }
    (fields.tm_year, fields.tm_mon, fields.tm_mday) = (numbers[0], numbers[1], numbers[2])
    (fields.tm_hour, fields.tm_min, fields.tm_sec) = (numbers[3], numbers[4], numbers[5])
    (fields.tm_wday, fields.tm_yday) = (numbers[6], numbers[7])
    var moment = timegm(&fields)
    if zone == .utc { return }
    moment = Int(zone.moment(ofLocal: Int64(moment)))
    gmtime_r(&moment, &fields)
  }

  private static func clamped(_ number: Double) -> Int32 {
    Int32(min(max(number, Double(Int32.min)), Double(Int32.max)))
  }

  /// The numbers of an unknown weekday and day of the year, as in jq.
  private static let (unknownWeekday, unknownDay): (Int32, Int32) = (8, 367)

  /// Parses a text by the C library's `strptime`; also returns the rest of the text, which starts with a blank.
  ///
  /// The time is in UTC if the text contains its offset.
  static func parse(
    _ text: String, _ format: String
  ) throws(ExpressionError) -> (time: BrokenDownTime, rest: String)? {
    guard let date = try WrittenDate(text, format) else { return nil }
    var fields = tm()
    (fields.tm_wday, fields.tm_yday) = (unknownWeekday, unknownDay)
    let rest: String? = date.text.withCString { start in
      guard let end = strptime(start, date.format, &fields) else { return nil }
      guard end.pointee == 0 || isspace(Int32(UInt8(bitPattern: end.pointee))) != 0 else { return nil }
      return String(cString: end)
    }
    guard let rest else { return nil }
    // `%s` is parsed as a time of the machine's zone, and so has an offset too.
    let offset = fields.tm_gmtoff
    // The C library does not always compute the weekday and the day of the year.
    var normalised = fields
    var seconds = timegm(&normalised)
    if offset != 0 {
      seconds -= offset
      guard gmtime_r(&seconds, &fields) != nil else { return nil }
    } else {
      if fields.tm_mday != 0, fields.tm_wday == unknownWeekday { fields.tm_wday = normalised.tm_wday }
      if fields.tm_mday != 0, fields.tm_yday == unknownDay { fields.tm_yday = normalised.tm_yday }
    }
    return (BrokenDownTime(fields, fraction: date.fraction), rest)
  }

  var value: [JSONValue] {
    let date = [fields.tm_year + 1900, fields.tm_mon, fields.tm_mday, fields.tm_hour, fields.tm_min]
    let seconds = Double(fields.tm_sec) + fraction
    return (date.map(Double.init) + [seconds, Double(fields.tm_wday), Double(fields.tm_yday)]).map { .number($0) }
  }

  /// Returns seconds since 1970, of a time in UTC.
  func seconds() throws(ExpressionError) -> Double {
    var copy = fields
    errno = 0
    let seconds = timegm(&copy)
    if seconds == -1, errno == EOVERFLOW { throw .badValue("invalid gmtime representation") }
    return Double(seconds)
  }

  /// Formats the time, which is one in UTC, by the C library's `strftime`; `nil` beyond 4 KiB.
  func text(_ format: String) -> String? {
    if format.isEmpty { return "" }
    var copy = fields
    var moment = timegm(&copy)
    gmtime_r(&moment, &copy)
    return Self.text(Self.replacingSeconds(in: format, by: moment), of: &copy)
  }

  /// Formats the time, which is one in UTC, in a time zone; `nil` beyond 4 KiB.
  func text(_ format: String, in zone: TimeZone) -> String? {
    if format.isEmpty { return "" }
    var copy = fields
    let moment = timegm(&copy)
    let offset = zone.offset(at: Int64(moment))
    var shown = moment + Int(offset)
    guard gmtime_r(&shown, &copy) != nil else { return nil }
    copy.tm_gmtoff = Int(offset)
    return zone.name(at: Int64(moment)).withCString { name in
      copy.tm_zone = name
      return Self.text(Self.replacingSeconds(in: format, by: moment), of: &copy)
    }
  }

  private static func text(_ format: String, of fields: inout tm) -> String? {
    var buffer = [CChar](repeating: 0, count: 4096)
    let length = strftime(&buffer, buffer.count, format, &fields)
    return length == 0 ? nil : String(decoding: buffer[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Returns a format with the seconds since 1970 in place of `%s`, which the C library computes for the machine's zone.
  private static func replacingSeconds(in format: String, by moment: Int) -> String {
    guard format.contains("%s") else { return format }
    var bytes: [UInt8] = []
    var rest = Array(format.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%"), let letter = rest.popFirst() else {
        bytes.append(byte)
        continue
      }
      if letter == UInt8(ascii: "s") { bytes += "\(moment)".utf8 } else { bytes += [byte, letter] }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
