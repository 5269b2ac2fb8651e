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
}
