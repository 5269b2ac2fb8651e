import Base
import JSON
import Testing

@testable import Expressions

/// Times in named zones; the rules are those of this machine's time zone database.
@Suite struct `A time in a zone` {
  @Test(
    arguments: [
      // Summer and winter, and the seconds around a change.
      Case(#"strftime("%Y-%m-%d %H:%M:%S %Z %z"; "Europe/Berlin")"#, "1774587600", #""2026-03-27 06:00:00 CET +0100""#),
      Case(#"strftime("%H:%M %Z %z"; "Europe/Berlin")"#, "1785560400", #""07:00 CEST +0200""#),
      Case(
        #"map(strftime("%T %Z"; "Europe/Berlin"))"#, "[1774745999,1774746000]", #"["01:59:59 CET","03:00:00 CEST"]"#),
      Case(
        #"map(strftime("%T %Z"; "Europe/Berlin"))"#, "[1792889999,1792890000]", #"["02:59:59 CEST","02:00:00 CET"]"#),
      // Another day, the southern half of the year, and offsets that are no whole hours or have no name.
      Case(#"strftime("%a %d %H:%M %Z"; "Pacific/Auckland")"#, "1767268800", #""Fri 02 01:00 NZDT""#),
      Case(#"strftime("%H:%M %z"; "Asia/Kathmandu")"#, "0", #""05:30 +0530""#),
      Case(#"strftime("%H:%M %Z"; "America/Sao_Paulo")"#, "1785542400", #""21:00 -03""#),
      Case(#"strftime("%F %T %Z"; "UTC")"#, "1425599507", #""2015-03-05 23:51:47 UTC""#),
      // By the rule for the time after the last listed change, and before the first.
      Case(#"strftime("%F %H %Z"; "Europe/Berlin")"#, "4118025600", #""2100-06-30 10 CEST""#),
      Case(#"strftime("%Z"; "Europe/Berlin")"#, "-2500000000", #""LMT""#),
      // The fraction is dropped downwards.
      Case(#"strftime("%T"; "Europe/Berlin")"#, "-0.5", #""00:59:59""#),
      // An array is a time in UTC, as for strftime without a zone.
      Case(#"strftime("%H:%M"; "Europe/Berlin")"#, "[2015,2,5,23,51,47,4,63]", #""00:51""#),
      // The C library takes the broken down time for one of the machine's zone.
      Case(#"strftime("%s %%s %-d"; "Asia/Tokyo")"#, "86400", #""86400 %s 2""#),
      Case(#"strftime(""; "Europe/Berlin")"#, "0", #""""#),
      // Formats and zones that are computed; the first argument varies fastest.
      Case(#"strftime("%H"; .)"#, #""Europe/Berlin""#, "error: strftime/2 requires parsed datetime inputs"),
      Case(#". as $zone | 0 | strftime("%H:%M"; $zone)"#, #""Europe/Berlin""#, #""01:00""#),
      Case(#". as $zone | 0 | strftime("%H:%M"; $zone)"#, #""UTC""#, #""00:00""#),
      Case(
        #"[0 | strftime("%H", "%Z"; "UTC", "Asia/Tokyo")]"#, "null", #"["00","UTC","09","JST"]"#),
      Case(
        #". as $zone | 0 | strftime("%H"; $zone)"#, #""Europe/Berlni""#,
        #"error: no time zone "Europe/Berlni" on this machine"#),
      Case(#"try (. as $zone | 0 | strftime("%H"; $zone)) catch "no""#, #""../../etc/passwd""#, #""no""#),
      Case(#"try (. as $zone | 0 | strftime("%H"; $zone)) catch "no""#, #""Europe""#, #""no""#),
      Case(#"0 | strftime("%H"; 5)"#, "null", #"error: a time zone is a string, such as "Europe/Berlin""#),
      Case(#"0 | strftime(5; "UTC")"#, "null", "error: strftime/2 requires a string format"),
      Case(#"strftime("%H"; "UTC")"#, "1e30", "error: error converting number of seconds since epoch to datetime"),
      Case(#"strftime("%9999d"; "UTC")"#, "0", "error: strftime/2: unknown system failure"),
    ])
  func `is written as its clocks show it`(example: Case) throws {
    #expect(try run(example.expression, example.input) == example.outputs)
  }

  @Test func `is in UTC that of strftime without a zone`() throws {
    for second in stride(from: -4_000_000_000, through: 8_000_000_000, by: 76_543_211) {
      let format = "%F %T %j %A %U %e %p"
      #expect(try run("strftime(\"\(format)\"; \"UTC\")", "\(second)") == run("strftime(\"\(format)\")", "\(second)"))
    }
  }

  @Test(arguments: [
    ("Europe/Berlin", #"strflocaltime("%F %T %Z %z")"#, "1785560400", #""2026-08-01 07:00:00 CEST +0200""#),
    (":Asia/Kathmandu", #"strflocaltime("%H:%M %s")"#, "0", #""05:30 0""#),
    ("EST5EDT,M3.2.0,M11.1.0", "localtime", "1785560400.5", "[2026,7,1,1,0,0.5,6,212]"),
    ("nowhere at all", "localtime", "0", "[1970,0,1,0,0,0,4,0]"),
    // An array is a time on the clocks there: one in winter, a repeated one, and one that they skip.
    ("Europe/Berlin", #"strflocaltime("%T %Z %s")"#, "[2015,2,5,23,51,47,4,63]", #""23:51:47 CET 1425595907""#),
    ("Europe/Berlin", #"strflocaltime("%T %Z")"#, "[2026,9,25,2,30,0]", #""02:30:00 CEST""#),
    ("Europe/Berlin", #"strflocaltime("%T %Z")"#, "[2026,2,29,2,30,0]", #""03:30:00 CEST""#),
    // Nothing else depends on the machine.
    ("Asia/Tokyo", #"strftime("%s %T")"#, "1425599507", #""1425599507 23:51:47""#),
  ])
  func `is that of the machine where the expression was compiled`(
    zone: String, source: String, input: String, output: String
  ) throws {
    let expression = try Expression(source, zones: ZonesElsewhere(local: zone))
    var parser = JSONParser()
    #expect(try expression.first(parser.value(of: Array(input.utf8).span), Environment())?.description == output)
  }

  @Test func `is looked up when the expression is compiled if it is a literal`() throws {
    let zones = CountedZones()
    let expression = try Expression(#"strftime("%H:%M %Z"; "Europe/Berlin")"#, zones: zones)
    #expect(zones.names == ["Europe/Berlin"])
    for second in 0..<10 {
      #expect(try expression.first(.number(Double(second)), Environment()) == .string("00:00 UTC"))
    }
    #expect(zones.names.count == 1)
  }

  @Test func `is refused with its place and a suggestion if the name of a literal is unknown`() throws {
    let error = #expect(throws: ExpressionSyntaxError.self) {
      try Expression(#"strftime("%H:%M"; "Europe/Berlni")"#)
    }
    #expect(error?.message == #"no time zone "Europe/Berlni" on this machine"#)
    #expect(error?.suggestion == "Europe/Berlin")
    #expect(error?.offset == 18 && error?.length == 15)
  }

  @Test func `costs steps for each name that is computed, known or not`() throws {
    let source = #"[range(5000) as $n | 0 | try strftime("%H"; "Etc/\($n)") catch "no"] | length"#
    #expect(try run(source) == ["error: the expression takes too many steps for this value"])
    let known = #"[range(5000) as $n | 0 | strftime("%H"; "Europe/Berlin", "Asia/Tokyo" | tostring)] | length"#
    #expect(try run(known) == ["error: the expression takes too many steps for this value"])
  }
}

/// Zones that note what is asked for; each is UTC.
private final class CountedZones: TimeZoneSource {
  private(set) var names: [String] = []

  func zone(named name: String) -> Base.TimeZone? {
    names.append(name)
    return .utc
  }

  func file(at path: String, upTo limit: Int) -> [UInt8]? { nil }

  var localZone: Base.TimeZone { .utc }
}

/// The zones of this machine, with another one as its own.
private struct ZonesElsewhere: TimeZoneSource {
  let local: String

  func zone(named name: String) -> Base.TimeZone? { MachineZones.shared.zone(named: name) }
  func file(at path: String, upTo limit: Int) -> [UInt8]? { nil }
  var localZone: Base.TimeZone { readLocalZone(local) }
}
