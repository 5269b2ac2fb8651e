import Base
import TestSupport
import Testing

@Suite struct SunEventTests {
  private static let second: Int64 = 1_000_000

  /// Returns the first moment of a time on or after a local date, in minutes since midnight of a fixed offset from UTC.
  private func minutes(
    of text: String, year: Int64, month: Int64, day: Int64, offset hours: Int64, at location: GeographicLocation
  ) throws -> Int64 {
    let midnight = try #require(CivilDate(year: year, month: month, day: day)).dayNumber * 86_400 - hours * 3600
    let moment = try #require(
      try CalendarEvent(text).next(after: midnight * Self.second - 1, in: .utc, at: location))
    // Rounded, as an almanac does.
    return (moment / Self.second - midnight + 30) / 60
  }

  /// The US Naval Observatory's "Rise and Set for the Sun for 2008", 121°55′ west, 37°24′ north, zone 8h west of Greenwich.
  private static let almanac: [(month: Int64, rise: Int64, set: Int64)] = [
    (1, 0722, 1700), (2, 0711, 1732), (3, 0638, 1802), (4, 0552, 1831), (5, 0512, 1858), (6, 0448, 1923),
    (7, 0451, 1932), (8, 0512, 1915), (9, 0539, 1836), (10, 0604, 1750), (11, 0633, 1709), (12, 0704, 1650),
  ]

  @Test(arguments: almanac)
  func `the sun rises and sets when the almanac says, to the minute`(month: Int64, rise: Int64, set: Int64) throws {
    let location = GeographicLocation(latitude: 37.4, longitude: -121 - 55.0 / 60)
    for (text, time) in [("sunrise", rise), ("sunset", set)] {
      let found = try minutes(of: text, year: 2008, month: month, day: 1, offset: -8, at: location)
      #expect(abs(found - (time / 100 * 60 + time % 100)) <= 1, "\(text): \(found / 60):\(found % 60)")
    }
  }

  /// Luther College, Decorah, "Sunrise and sunset": September, 43.30° north, 91.79° west, zone 5h west of Greenwich.
  @Test(
    arguments: [
      (1, 0602, 0632, 1941, 2011), (15, 0619, 0647, 1916, 1945), (30, 0636, 0704, 1849, 1918),
    ] as [(Int64, Int64, Int64, Int64, Int64)])
  func `civil twilight lasts as long as the almanac says`(
    day: Int64, dawn: Int64, rise: Int64, set: Int64, dusk: Int64
  ) throws {
    let location = GeographicLocation(latitude: 43.3, longitude: -91.79)
    for (text, time) in [("dawn", dawn), ("sunrise", rise), ("sunset", set), ("dusk", dusk)] {
      let found = try minutes(of: text, year: 2010, month: 9, day: day, offset: -5, at: location)
      #expect(abs(found - (time / 100 * 60 + time % 100)) <= 2, "\(text): \(found / 60):\(found % 60)")
    }
  }

  private static let tromsø = GeographicLocation(latitude: 69.65, longitude: 18.96)

  @Test func `days on which the sun stays up or down are left out`() throws {
    let sunset = try CalendarEvent("sunset")
    let may = try #require(RFC3339.microseconds(of: "2026-05-30T12:00:00Z"))
    let july = try #require(sunset.next(after: may, in: .utc, at: Self.tromsø))
    #expect(RFC3339.text(microseconds: july, in: .utc).hasPrefix("2026-07-2"))
    #expect(try CalendarEvent("12-25 sunrise").next(after: may, in: .utc, at: Self.tromsø) == nil)
    #expect(try CalendarEvent("12-25 dawn").next(after: may, in: .utc, at: Self.tromsø) != nil)
    #expect(sunset.next(after: may, in: .utc) == nil)
  }

  @Test func `moments of random places follow each other, on the days that are named`() throws {
    var random = SplitMix(seed: 11)
    for _ in 0..<200 {
      let location = GeographicLocation(
        latitude: .random(in: -60...60, using: &random), longitude: .random(in: -180...180, using: &random))
      let event = try #require(SunEvent.allCases.randomElement(using: &random))
      let offset = Int64.random(in: -720...720, using: &random)
      let sign = offset < 0 ? "-" : "+"
      let time = try CalendarEvent("Mon,Wed..Fri \(event) \(sign) \(abs(offset))m")
      var moment = Int64.random(in: 0...4_000_000_000, using: &random) * Self.second
      for _ in 0..<8 {
        let next = try #require(time.next(after: moment, in: .utc, at: location))
        #expect(next > moment && next - moment < 4 * 86_400 * Self.second, "\(location) \(event) \(offset)")
        let weekday = ((next / Self.second - offset * 60) / 86_400 + 3) % 7
        #expect([0, 2, 3, 4].contains(weekday), "\(location) \(event) \(offset): \(weekday)")
        #expect(time.next(after: next - 1, in: .utc, at: location) == next)
        moment = next
      }
      #expect(time.last(from: moment, through: moment + 86_400 * 30 * Self.second, in: .utc, at: location) > moment)
    }
  }

  @Test(arguments: [
    ("sunrize", 0, "unknown word \"sunrize\""), ("sunset 30m", 7, "expected \"+\" or \"-\" and a duration, found '3'"),
    ("Mon sunset +", 12, "expected a duration of at most 12h, such as 30m, found end"),
    ("sunset + 13h", 9, "expected a duration of at most 12h, such as 30m, found \"13h\""),
    ("dusk - 5", 7, "expected a duration of at most 12h, such as 30m, found \"5\""),
    ("sunset 06:00", 7, "expected \"+\" or \"-\" and a duration, found '0'"),
  ])
  func `errors are reported with their place`(text: String, offset: Int, message: String) {
    let error = #expect(throws: CalendarSyntaxError.self) { try CalendarEvent(text) }
    #expect(error?.message == message && error?.offset == offset, "\(error as Any)")
  }

  @Test(arguments: ["Sunset", "SUNSET + 0m", "*-*-* sunset", "Mon..Sun sunset UTC", "*-*-* sunset - 0m UTC"])
  func `words may be in capitals, behind a date, and before a zone`(text: String) throws {
    let expected = try CalendarEvent("sunset").next(after: 0, in: .utc, at: Self.tromsø)
    #expect(try CalendarEvent(text).next(after: 0, in: .utc, at: Self.tromsø) == expected)
  }
}
