extension JSONWriter {
  /// Writes a number as jq does: no exponent and no point for integers below 10¹⁶, else the shortest text that reads
  /// back as the same double, with an exponent in place of many zeros.
  ///
  /// An integer that the parser would refuse has an exponent too, so that all output can be read back. A value that
  /// JSON cannot represent becomes the nearest: NaN is null, infinity the greatest double.
  package mutating func write(_ number: Double) {
    if let integer = Int64(exactly: number), integer.magnitude < 10_000_000_000_000_000 {
      if integer == 0 && number.sign == .minus { bytes.append(UInt8(ascii: "-")) }
      write(integer)
    } else if number.isNaN {
      write(literal: "null")
    } else if number.isInfinite {
      write(number.sign == .minus ? -Double.greatestFiniteMagnitude : Double.greatestFiniteMagnitude)
    } else {
      writeShortest(number)
    }
  }

  package mutating func write(_ integer: Int64) {
    if integer < 0 { bytes.append(UInt8(ascii: "-")) }
    write(integer.magnitude)
  }

  package mutating func write(_ integer: Int) { write(Int64(integer)) }

  package mutating func write(_ magnitude: UInt64) {
    if magnitude < 10 { return bytes.append(UInt8(ascii: "0") + UInt8(magnitude)) }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var start = 20
      var rest = magnitude
      repeat {
        start -= 1
        let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
        digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
        rest = quotient
      } while rest > 0
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start..<20]))
    }
  }

  /// The range of integers whose shortest digits, followed by zeros, the parser accepts: those of -2⁶³ are below it.
  private static let integers = (-0x1p63).nextUp..<0x1p64

  /// Swift's description is the shortest text too, and in jq's form except for large numbers.
  private mutating func writeShortest(_ number: Double) {
    var text = number.description
    text.withUTF8 { text in
      let isInteger = number.magnitude >= 1e16 && Self.integers.contains(number)
      guard isInteger, let exponentMark = text.firstIndex(of: UInt8(ascii: "e")) else {
        return bytes.append(contentsOf: text)
      }
      let digits = text[..<exponentMark].filter { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "-") }
      let exponent = text[(exponentMark + 2)...].reduce(0) { $0 * 10 + Int($1 & 15) }
      let zeros = exponent + 1 - digits.count
      if zeros > 15 || zeros < 0 { return bytes.append(contentsOf: text) }
      if number.sign == .minus { bytes.append(UInt8(ascii: "-")) }
      bytes.append(contentsOf: digits)
      bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: zeros))
    }
  }
}
