/// Readable numbers: three digits and a unit.
enum Figures {
  /// Formats a count: `0`, `7.50`, `15`, `421`, `1.23k`, `45.6M`.
  static func count(_ number: Double) -> String { scaled(number, ["", "k", "M", "G", "T"], by: 1000) }

  /// Formats a size: `512B`, `14.2MiB`.
  static func bytes(_ number: Double) -> String { scaled(number, ["B", "KiB", "MiB", "GiB", "TiB"], by: 1024) }

  /// Formats a time in seconds: `85.3µs`, `1.20ms`, `2.50s`.
  static func time(_ seconds: Double) -> String { scaled(seconds * 1e6, ["µs", "ms", "s"], by: 1000) }

  /// Formats a time in seconds with two units: `42s`, `5m12s`, `3h05m`, `12d07h`.
  static func span(_ seconds: Double) -> String {
    let seconds = Int(seconds)
    func parts(_ unit: Int, _ name: String, _ smaller: Int, _ smallerName: String) -> String {
      let rest = seconds % unit / smaller
      return "\(seconds / unit)\(name)\(rest < 10 ? "0" : "")\(rest)\(smallerName)"
    }
    switch seconds {
    case ..<60: return "\(seconds)s"
    case ..<3600: return parts(60, "m", 1, "s")
    case ..<86_400: return parts(3600, "h", 60, "m")
    default: return parts(86_400, "d", 3600, "h")
    }
  }

  private static func scaled(_ number: Double, _ units: [String], by step: Double) -> String {
    var number = number
    var unit = 0
    // A number that would be rounded up to a whole step is shown in the next unit.
    while number >= step - 0.5, unit < units.count - 1 {
      number /= step
      unit += 1
    }
    // Whole numbers are exact counts.
    if unit == 0, number == number.rounded() { return "\(Int(number))\(units[unit])" }
    return digits(number) + units[unit]
  }

  private static func digits(_ number: Double) -> String {
    let places = number == number.rounded() && number < 10 ? 0 : number < 9.995 ? 2 : number < 99.95 ? 1 : 0
    let scale = [1.0, 10, 100][places]
    let whole = Int((number * scale).rounded())
    if places == 0 { return "\(whole)" }
    let fraction = String(whole % Int(scale))
    return "\(whole / Int(scale))." + String(repeating: "0", count: places - fraction.count) + fraction
  }
}
