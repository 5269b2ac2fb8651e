import JSON
import TestSupport
import Testing

/// Values of common form are recognised without the parser, which must agree.
struct PlainValueTests {
  private static let texts = [
    #"{"seq":1234567,"t":12345678901234,"v":21.5,"p":0,"x":"abcdefghijklmnopqrstuvwxyz"}"#,
    #"[[], {}, [{"a": [true, false, null]}], -0.50, "", "a\"b"]"#, #"{"a":{"b":{"c":[1,2,[3,{"d":"e"}]]}}}"#,
    "123456789012345678", "1234567890123456789012345678", "-0", "1e5", "[1,\t2 , 3]", #""\u00e9""#, #""é""#, "true",
  ]

  private func agree(_ text: [UInt8], depth: Int) -> Bool {
    var parser = JSONParser()
    var outline = Outline()
    let isValue = parser.isValue(text.span, maximumDepth: depth, outline: &outline)
    return isValue == ((try? parser.value(of: text.span, maximumDepth: depth)) != nil)
  }

  @Test(arguments: texts) func `a text is recognised where the parser takes it, at every depth`(text: String) {
    for depth in 1...8 { #expect(agree(Array(text.utf8), depth: depth)) }
  }

  @Test(arguments: [11])
  func `texts with random errors are refused where the parser refuses them`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let bytes = Array(" \t\r\n\"\\{}[],:x01.-+eE\u{0}\u{1F}\u{7F}".utf8) + [0x80, 0xC3, 0xFF]
    for round in 0..<8_000 {
      var text = Array(Self.texts[round % Self.texts.count].utf8)
      for _ in 0...Int.random(in: 0...2, using: &random) {
        let place = Int.random(in: 0..<text.count, using: &random)
        let byte = bytes.randomElement(using: &random) ?? 0
        switch Int.random(in: 0...2, using: &random) {
        case 0: text[place] = byte
        case 1: text.insert(byte, at: place)
        default: if text.count > 1 { text.remove(at: place) }
        }
      }
      #expect(agree(text, depth: 5), "\(text)")
    }
  }
}
