import Base
import Foundation
import TestSupport
import Testing

/// `CALENDAR_EVENTS` is the number of additional random ones.
@Suite struct CalendarEventTests {
  private static let further = TestAmount.number("CALENDAR_EVENTS") ?? 0

  @Test(.enabled(if: SystemdAnalyze.isInstalled), arguments: [1...100, 1001...1000 + max(further, 1)])
  func `an event at random has the moments that systemd names`(seeds: ClosedRange<Int>) throws {
    var refused = 0
    for seed in seeds {
      var random = RandomCalendarEvent(seed: seed)
      let (text, base) = (random.text(), random.base())
      let expected = try SystemdAnalyze.answer(to: text, after: base, count: 8)
      if expected == .none { continue }
      if expected == .refused { refused += 1 }
      let found = try (try? CalendarEvent(text))?.moments(after: base, count: 8)
      #expect(
        found.map(SystemdAnalyze.Answer.moments) ?? .refused == expected, "seed \(seed): \"\(text)\" after \(base)")
    }
    #expect(seeds.count < 100 || 1..<seeds.count / 2 ~= refused, "both kinds are to be tried: \(refused)")
  }

  @Test func `the last of the moments up to another one is found among millions`() throws {
    let (secondly, zone) = (try CalendarEvent("*:*:*"), try Zones.named("Europe/Berlin"))
    let (start, end) = (Int64(1_700_000_000_000_000), Int64(1_800_000_000_500_000))
    #expect(secondly.last(from: start, through: end, in: zone) == 1_800_000_000_000_000)
    #expect(secondly.last(from: start, through: start, in: zone) == start)
    let daily = try CalendarEvent("02:30")
    let first = try #require(daily.next(after: start, in: zone))
    // 2026-03-29 has no 02:30.
    #expect(daily.last(from: first, through: 1_774_800_000_000_000, in: zone) == 1_774_661_400_000_000)
  }

  @Test(
    arguments: [
      [], Array("TZif".utf8), Array("TZif2".utf8) + Array(repeating: 0, count: 39),
      Array("TZif2".utf8) + Array(repeating: 255, count: 200), Array(repeating: 0, count: 44),
    ] as [[UInt8]])
  func `other files are no time zone`(file: [UInt8]) {
    #expect(Base.TimeZone(file: file) == nil)
  }

  @Test func `a damaged file of a time zone is none, or is one`() throws {
    let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/Europe/Berlin")))
    var random = SplitMix(seed: 7)
    for length in 0..<whole.count - 1 { #expect(Base.TimeZone(file: Array(whole.prefix(length))) == nil) }
    for _ in 0..<2000 {
      var file = whole
      file[Int.random(in: file.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      let zone = Base.TimeZone(file: file)
      for moment in [0, 1_774_746_000, 4_000_000_000] as [Int64] { _ = zone?.offset(at: moment) }
    }
  }

  @Test(arguments: ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Europe/Dublin", "Africa/Casablanca"])
  func `the offsets of a zone are those of the C library`(name: String) throws {
    let zone = try Zones.named(name)
    let output = Pipe()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/date")
    process.environment = ["TZ": name]
    let moments = (0..<3000).map { Int64($0) * 1_400_003 }
    let list = FileManager.default.temporaryDirectory.appending(path: "moments-\(name.replacing("/", with: "-"))")
    try moments.map { "@\($0)\n" }.joined().write(to: list, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: list) }
    process.arguments = ["--file", list.path, "+%s %:z"]
    process.standardOutput = output
    try process.run()
    let lines = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(lines.split(separator: "\n").count == moments.count)
    for line in lines.split(separator: "\n") {
      let moment = try #require(Int64(line.prefix { $0 != " " }))
      let text = RFC3339.text(microseconds: moment * 1_000_000, in: zone)
      #expect(text.hasSuffix(line.suffix(6)), "\(line)")
    }
  }

  /// The answers of systemd 252, for machines without it: a moment, an event, and its next moments.
  @Test func `the events of a table have the moments that systemd has named`() throws {
    let lines = try Committed.lines(of: "Tests/CivilTimeTests/CalendarTimes.txt").filter { !$0.isEmpty }
    #expect(lines.count > 50)
    for line in lines {
      let parts = line.split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      let base = try #require(RFC3339.microseconds(of: parts[0])) / 1_000_000
      if parts[2] == "refused" {
        #expect(throws: CalendarSyntaxError.self, "\(line)") { try CalendarEvent(parts[1]) }
        continue
      }
      let expected = parts[2].split(separator: " ").compactMap { RFC3339.microseconds(of: String($0)) }
      let found = try CalendarEvent(parts[1]).moments(after: base, count: 4)
      #expect(found == expected.map { $0 / 1_000_000 }, "\(line)")
    }
  }
}
