import JSON
import TestSupport
import Testing

struct WriterTests {
  /// The texts of jq 1.6, except integers of more than 64 bits, which it writes without an exponent and the parser
  /// would refuse.
  @Test(arguments: [
    (0, "0"), (-0.0, "-0"), (3.0, "3"), (-7, "-7"), (21.5, "21.5"), (0.1, "0.1"), (1e15, "1000000000000000"),
    (1e16, "1e+16"), (12e15, "12000000000000000"), (99_999_999_999_999_984, "99999999999999980"), (1e17, "1e+17"),
    (1e18, "1e+18"),
    (123_456_789_012_345_680, "123456789012345680"), (123_456_789e12, "1.23456789e+20"),
    (1_234_567_890_123_456_774_144, "1.2345678901234568e+21"), (-123_456_789e12, "-1.23456789e+20"),
    (1.5e300, "1.5e+300"), (0.0001, "0.0001"), (0.000_01, "1e-05"), (0.000_012_34, "1.234e-05"),
    (.leastNonzeroMagnitude, "5e-324"),
    (.greatestFiniteMagnitude, "1.7976931348623157e+308"), (.infinity, "1.7976931348623157e+308"),
    (-.infinity, "-1.7976931348623157e+308"), (.nan, "null"), (0.30000000000000004, "0.30000000000000004"),
    (9_007_199_254_740_993.5, "9007199254740994"), (2_251_799_813_685_248.5, "2251799813685248.5"),
  ])
  func `a number is written as jq writes it`(number: Double, text: String) {
    #expect(JSONValue.number(number).description == text)
  }

  @Test(arguments: [1, 2])
  func `a number that is written and read again is the same`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    for _ in 0..<10_000 {
      let number = Double(bitPattern: random.next())
      guard number.isFinite else { continue }
      let text = JSONValue.number(number).description
      #expect((try? parsed(text).get()) == .number(number), "\(text)")
    }
  }

  @Test(arguments: [
    -0x1p63, (-0x1p63).nextUp, (-0x1p63).nextDown, 0x1p63, 0x1p64, (0x1p64).nextDown, 1e16, -1e16, 1.5e17, 9e18, 1.8e19,
  ])
  func `a number at the border of the integers that are read is read again`(number: Double) {
    #expect((try? parsed(JSONValue.number(number).description).get()) == .number(number))
  }

  @Test func `a string has only the escapes that it must have`() {
    #expect(
      JSONValue.string("a\"b\\c/é\u{7F}\u{1}\u{1F}\u{8}\t\n\u{C}\r").description
        == "\"a\\\"b\\\\c/é\u{7F}\\u0001\\u001f\\b\\t\\n\\f\\r\"")
  }

  @Test func `containers are written compactly in their order`() {
    let value: JSONValue = ["b": [1, nil, true, "x", [:]], "a": ["c": 2.5], "d": []]
    #expect(value.description == #"{"b":[1,null,true,"x",{}],"a":{"c":2.5},"d":[]}"#)
  }

  @Test func `integers are written whole`() {
    var writer = JSONWriter()
    for integer in [0, 9, 10, -1, Int.max, Int.min] {
      writer.write(integer)
      writer.write(literal: " ")
    }
    #expect(String(decoding: writer.bytes, as: UTF8.self) == "0 9 10 -1 9223372036854775807 -9223372036854775808 ")
  }
}
