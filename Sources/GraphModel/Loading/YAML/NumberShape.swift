/// The form of a decimal number: `[-+]? ( \. digits | digits ( \. digits? )? ) ( [eE] [-+]? digits )?`.
struct NumberShape {
  /// The absence of a fraction and an exponent.
  let isWhole: Bool
  /// True for valid JSON notation: no `+`, no leading zero, digits on both sides of the point.
  let isJSON: Bool

  init?(_ bytes: [UInt8]) {
    var rest = bytes[...]
    let sign = Self.take(&rest) { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
    let whole = Self.takeDigits(&rest)
    let hasPoint = Self.take(&rest) { $0 == UInt8(ascii: ".") } != nil
    let fraction = hasPoint ? Self.takeDigits(&rest) : []
    let hasExponent = Self.take(&rest) { $0 | 0x20 == UInt8(ascii: "e") } != nil
    if hasExponent { _ = Self.take(&rest) { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") } }
    let exponent = hasExponent ? Self.takeDigits(&rest) : []
    guard rest.isEmpty, !(whole.isEmpty && fraction.isEmpty), !(hasExponent && exponent.isEmpty) else { return nil }
    isWhole = !hasPoint && !hasExponent
    isJSON =
      sign != UInt8(ascii: "+") && !whole.isEmpty && (whole.count == 1 || whole.first != UInt8(ascii: "0"))
      && !(hasPoint && fraction.isEmpty)
  }

  private static func take(_ rest: inout ArraySlice<UInt8>, where holds: (UInt8) -> Bool) -> UInt8? {
    guard let first = rest.first, holds(first) else { return nil }
    rest.removeFirst()
    return first
  }

  private static func takeDigits(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let digits = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    rest = rest.dropFirst(digits.count)
    return digits
  }
}
