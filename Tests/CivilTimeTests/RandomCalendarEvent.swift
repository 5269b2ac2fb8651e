import TestSupport

/// Random texts of calendar events, including unusual and invalid ones.
struct RandomCalendarEvent {
  private var random: SplitMix
  private static let zones = [
    "UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Europe/Dublin", "America/Santiago",
    "Asia/Kolkata", "Africa/Casablanca", "America/Havana", "Pacific/Auckland",
  ]
  private static let weekdays = ["Mon", "tue", "Wednesday", "THU", "Fri", "sat", "Sunday"]

  init(seed: Int) { random = SplitMix(seed: UInt64(seed)) }

  private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
  private mutating func isOne(in count: Int) -> Bool { number(1...count) == 1 }
  private mutating func choice(_ words: [String]) -> String { words[number(0...words.count - 1)] }

  /// A moment near a clock change, or any other, in seconds since 1970.
  mutating func base() -> Int64 {
    let changes: [Int64] = [1_774_746_000, 1_792_890_000, 1_772_953_200, 1_793_512_800, 1_775_318_400, 1_790_697_600]
    if isOne(in: 3) { return Int64(number(0...4_000_000_000)) }
    // The hour after a change is left out: there the reference's answer depends on its previous queries.
    return changes[number(0...5)] - Int64(number(3600...200_000))
  }

  mutating func text() -> String {
    var parts: [String] = []
    if isOne(in: 3) { parts.append(weekdays()) }
    if isOne(in: 2) { parts.append(date()) }
    if parts.isEmpty || !isOne(in: 4) { parts.append(time()) }
    if !isOne(in: 4) { parts.append(choice(Self.zones)) }
    return parts.joined(separator: " ")
  }

  private mutating func weekdays() -> String {
    (0..<number(1...3)).map { _ in
      let day = choice(Self.weekdays)
      return isOne(in: 3) ? "\(day)..\(choice(Self.weekdays))" : day
    }.joined(separator: ",")
  }

  private mutating func date() -> String {
    let year = isOne(in: 3) ? field(2020...2035) + "-" : isOne(in: 2) ? "*-" : ""
    let month = field(1...12)
    // In lists the reference refuses some days from the end that it accepts alone, such as 26 in "~4,26".
    if isOne(in: 4) { return year + month + "~" + field(1...25) }
    return year + month + "-" + field(1...(isOne(in: 5) ? 32 : 31))
  }

  private mutating func time() -> String {
    let time = field(0...23) + ":" + field(0...59)
    if isOne(in: 2) { return time }
    return time + ":" + (isOne(in: 6) ? "\(number(0...59)).\(number(0...999_999))" : field(0...59))
  }

  private mutating func field(_ range: ClosedRange<Int>) -> String {
    if isOne(in: 4) { return "*" }
    return (0..<(isOne(in: 4) ? 2 : 1)).map { _ in
      var text = "\(number(range))"
      if isOne(in: 5) { text += "..\(number(range))" }
      if isOne(in: 4) { text += "/\(number(0...9))" }
      return text
    }.joined(separator: ",")
  }
}
