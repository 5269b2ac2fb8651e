internal import Glibc

extension JSONDiagnosis {
  /// Reads a number and records one that cannot be represented.
  mutating func readNumber() throws(JSONError) {
    let start = index
    _ = skip(UInt8(ascii: "-"))
    if !skip(UInt8(ascii: "0")) { try readDigits() }
    var isInteger = true
    if skip(UInt8(ascii: ".")) {
      isInteger = false
      try readDigits()
    }
    if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
      isInteger = false
      if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
      try readDigits()
    }
    let number = String(decoding: text[start..<index], as: UTF8.self)
    if isInteger && Int64(number) == nil && UInt64(number) == nil {
      note(start, "integer out of range -9223372036854775808 to 18446744073709551615")
    } else if !isInteger && strtod(number, nil).isInfinite {
      note(start, "number exceeds the range of a double")
    }
  }

  private mutating func readDigits() throws(JSONError) {
    let start = index
    while let current, UInt8(ascii: "0")...UInt8(ascii: "9") ~= current { index += 1 }
    if index == start { throw unexpected("a digit") }
  }

  mutating func note(_ offset: Int, _ message: String) {
    badValue = badValue ?? JSONError(.badValue, offset: offset, message)
  }
}
