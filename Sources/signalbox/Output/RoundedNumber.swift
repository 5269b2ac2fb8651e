internal import Glibc
internal import JSON

/// A number as people read it, the same as on the page of `signalbox-http`.
enum RoundedNumber {
  /// The number of digits that matter.
  private static let digits = 5
  /// From here on, doubles are integers.
  private static let largest = 1e15

  /// Returns a number with its declared decimals, otherwise with five digits that matter; integers keep all of theirs.
  ///
  /// - Parameter text: The number as it was received.
  static func text(_ number: Double, _ text: String, precision: Int?) -> String {
    guard number.isFinite, abs(number) < largest else { return text }
    if let precision { return fixed(number, precision) }
    if number == number.rounded() { return text }
    let scale = pow(10, Double(digits) - max(0, floor(log10(abs(number))) + 1) + zeros(number))
    let rounded = (number * scale).rounded() / scale
    return rounded.isFinite ? JSONValue.number(rounded).description : text
  }

  /// Returns a value in JSON, rounded if it is a number.
  static func text(ofJSON json: String, precision: Int? = nil) -> String {
    guard case .number(let number) = RawJSON(validated: Array(json.utf8)).value.plain else { return json }
    return text(number, json, precision: precision)
  }

  /// The number of zeros between the point and the first digit that matters.
  private static func zeros(_ number: Double) -> Double { max(0, -floor(log10(abs(number))) - 1) }

  private static func fixed(_ number: Double, _ places: Int) -> String {
    let scale = pow(10, Double(places))
    guard (number * scale).magnitude < largest else { return JSONValue.number(number).description }
    let whole = Int((number * scale).rounded())
    let digits = String(whole.magnitude)
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    let sign = whole < 0 ? "-" : ""
    return places == 0 ? sign + padded : "\(sign)\(padded.dropLast(places)).\(padded.suffix(places))"
  }
}
