import Base
import Glibc
import Testing

struct CivilTimeTests {
  @Test func `days and dates lead to each other over all leap years, as in the C library`() {
    for dayNumber in stride(from: Int64(-800_000), to: 800_000, by: 17) {
      let date = CivilDate(dayNumber: dayNumber)
      var seconds = time_t(dayNumber * 86_400)
      var fields = tm()
      gmtime_r(&seconds, &fields)
      #expect(date.year == Int64(fields.tm_year) + 1900 && date.month == Int64(fields.tm_mon) + 1)
      #expect(date.day == Int64(fields.tm_mday) && date.dayNumber == dayNumber)
    }
  }

  @Test(arguments: [(2026, 2, 29), (1900, 2, 29), (2026, 4, 31), (2026, 0, 1), (2026, 13, 1), (2026, 1, 0)])
  func `the calendar does not have every date`(year: Int64, month: Int64, day: Int64) {
    #expect(CivilDate(year: year, month: month, day: day) == nil)
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000000Z"), (1_700_000_000_123_456, "2023-11-14T22:13:20.123456Z"),
    (951_782_399_999_999, "2000-02-28T23:59:59.999999Z"), (951_782_400_000_000, "2000-02-29T00:00:00.000000Z"),
    (4_107_542_400_000_000, "2100-03-01T00:00:00.000000Z"), (-1, "1969-12-31T23:59:59.999999Z"),
    (-62_167_219_200_000_000, "0000-01-01T00:00:00.000000Z"), (253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
  ])
  func `a moment is written in UTC with microseconds, and read again`(microseconds: Int64, text: String) {
    #expect(RFC3339.text(microseconds: microseconds) == text)
    #expect(RFC3339.microseconds(of: text) == microseconds)
  }

  @Test func `years that RFC 3339 does not have are written all the same`() {
    #expect(RFC3339.text(microseconds: 253_402_300_800_000_000) == "10000-01-01T00:00:00.000000Z")
    #expect(RFC3339.text(microseconds: -62_167_219_200_000_001) == "-0001-12-31T23:59:59.999999Z")
  }

  @Test(arguments: [
    ("1970-01-01T00:00:01Z", 1_000_000), ("1970-01-01t00:00:00.5z", 500_000), ("1970-01-01 00:00:00.1234567Z", 123_456),
    ("1970-01-01T02:00:00+02:00", 0), ("1969-12-31T22:30:00-01:30", 0), ("1969-12-31T23:59:60Z", 0),
  ])
  func `a moment may have another zone and another number of digits`(text: String, microseconds: Int64) {
    #expect(RFC3339.microseconds(of: text) == microseconds)
  }

  @Test(arguments: [
    "", "1970-01-01", "1970-01-01T00:00:00", "1970-02-30T00:00:00Z", "1970-01-01T24:00:00Z", "1970-01-01T00:60:00Z",
    "1970-01-01T00:00:61Z", "1970-01-01T00:00:00.Z", "1970-01-01T00:00:00+2:00", "1970-01-01T00:00:00Z ",
    "70-01-01T00:00:00Z", "1970-01-01T00:00:00+24:00", "1970-02-30T00:00:60Z",
  ])
  func `other texts are no moment`(text: String) {
    #expect(RFC3339.microseconds(of: text) == nil)
  }

  @Test(arguments: [
    ("0s", 0), ("1m30s", 90_000), ("250ms", 250), ("1d2h3m4s5ms", 93_784_005), ("090s", 90_000),
    ("9223372036854775807ms", Int64.max),
  ])
  func `a duration is a sum of numbers with units`(text: String, milliseconds: Int64) {
    #expect(DurationText.duration(text) == .milliseconds(milliseconds))
  }

  @Test func `durations can be as fine as nanoseconds where that is wanted`() {
    #expect(DurationText.duration("1s5ms250us7ns", to: .nanoseconds) == .nanoseconds(1_005_250_007))
  }

  @Test(arguments: [
    (0, "0s"), (1, "1ns"), (90_061_001_002_003, "1d1h1m1s1ms2us3ns"), (-90_061_001_002_003, "-1d-1h-1m-1s-1ms-2us-3ns"),
    (3_600_000_000_010, "1h10ns"), (Int64.max, "106751d23h47m16s854ms775us807ns"),
  ])
  func `a duration is written with the fewest units`(nanoseconds: Int64, text: String) {
    #expect(DurationText.written(.nanoseconds(nanoseconds)) == text)
  }

  @Test(arguments: [
    "", "s", "5", "1 s", "1s ", " 1s", "-1s", "1.5s", "1S", "1sec", "1y", "1s1m", "1s1s", "1us", "1ms5ns", "1mss",
    "9223372036854775808ms", "106751991168d", "99999999999999999999s", "١s",
  ])
  func `other texts are no duration`(text: String) {
    #expect(DurationText.duration(text) == nil)
  }
}
