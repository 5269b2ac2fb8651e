internal import Base

/// The dates of HTTP, in the form that servers have to write: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).
enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Returns the seconds since 1970; `nil` for another form.
  static func seconds(_ text: String) -> Int64? {
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[5] == "GMT", let day = number(parts[1], 2), let year = number(parts[3], 4),
      let month = months.firstIndex(of: String(parts[2])),
      let date = CivilDate(year: year, month: Int64(month) + 1, day: day)
    else { return nil }
    let time = parts[4].split(separator: ":", omittingEmptySubsequences: false).map { number($0, 2) }
    guard time.count == 3, let hour = time[0], let minute = time[1], let second = time[2], hour < 24, minute < 60,
      second <= 60
    else { return nil }
    return date.dayNumber * 86_400 + hour * 3600 + minute * 60 + second
  }

  private static func number(_ text: Substring, _ digits: Int) -> Int64? {
    text.utf8.count == digits && text.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int64(text) : nil
  }
}

/// The time that a server wants to be left alone (RFC 9110, 10.2.3): seconds, or a date.
enum RetryAfter {
  /// The longest time that is believed, in seconds: a day.
  private static let longest = 86_400.0

  /// Returns the seconds from now.
  static func seconds(_ text: String?, now: Int64) -> Double? {
    guard let text else { return nil }
    if !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) { return min(Double(text) ?? 0, longest) }
    return HTTPDate.seconds(text).map { min(max(0, Double($0 - now)), longest) }
  }
}
