/// The notation of sizes in bytes: `4096`, `64KiB`, `1MiB`, `2GiB`.
package enum SizeText {
  /// The maximum size of data held as one piece: 1 GiB.
  package static let greatest = 1 << 30

  private static let units: [(name: String, bytes: Int)] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]

  package static func size(_ text: String) -> Int? {
    let digits = text.utf8.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    let name = text[digits.endIndex...]
    guard let number = Int(text[..<digits.endIndex]) else { return nil }
    if name.isEmpty || name == "B" { return number }
    guard let unit = units.first(where: { $0.name == name }) else { return nil }
    let (size, isTooLarge) = number.multipliedReportingOverflow(by: unit.bytes)
    return isTooLarge ? nil : size
  }

  /// Returns true for a text that is no size only because its number is too large.
  static func isTooLarge(_ text: String) -> Bool {
    let unit = text.utf8.drop { 0x30...0x39 ~= $0 }
    return unit.count < text.utf8.count && size(text) == nil && size("1\(Substring(unit))") != nil
  }

  /// Returns the size probably intended by another unit: units of memory are powers of two.
  static func suggestion(for text: String) -> String? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let units = ["k": "KiB", "kb": "KiB", "kib": "KiB", "m": "MiB", "mb": "MiB", "mib": "MiB", "g": "GiB", "gb": "GiB"]
    guard !digits.isEmpty, let unit = units[text.dropFirst(digits.count).lowercased().filter { $0 != " " }]
    else { return nil }
    return "\(digits)\(unit)"
  }

  /// Returns the size in the largest unit that divides it.
  package static func written(_ size: Int) -> String {
    let unit = units.first { size >= $0.bytes && size % $0.bytes == 0 }
    return unit.map { "\(size / $0.bytes)\($0.name)" } ?? "\(size) bytes"
  }
}
