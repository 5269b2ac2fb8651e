import JSON
import TestSupport
import Testing

/// Objects with their text kept, and values read from it, equal the parser's.
struct KeptTextTests {
  /// Returns a value as parsed, and with its text kept; `nil` for invalid JSON.
  private static func readings(_ text: String) -> (parsed: JSONValue, kept: JSONValue)? {
    let bytes = Array(text.utf8)
    var parser = JSONParser()
    var outline = Outline()
    guard parser.isValue(bytes.span, outline: &outline), case .success(let value) = parsed(text) else { return nil }
    return (value, RawJSON(validated: bytes.span, outline: outline).value)
  }

  private static let texts = [
    #"{"seq":1234567,"t":12345678901234,"v":21.5,"p":0,"x":"abcdefghijklmnopqrstuvwxyz"}"#, "{}", #"{"a":{}}"#,
    #"{"a": 1, "b": [1, {"c": null}], "c": "", "d": true}"#, #"{"a":1,"b":2,"a":3}"#, #"{"":1,"ä":2,"\u0061":3}"#,
    #"{"n":-0,"m":-0.0,"o":0.5,"p":-12.25,"q":1.10,"r":1e3,"s":123456789012345678,"t":0.00001,"u":9007199254740993}"#,
    #"{"a long key of many bytes":1,"a long key of more bytes":2,"a long ":3,"a long k":4,"a long ke":5}"#,
    #"{"k":1,"l":1.0,"m":100,"n":0.1,"o":123456789012.345,"p":999999999999999,"q":-999999999999999,"r":0.30000000000000004}"#,
    #"{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":10,"k":11,"l":12,"m":13,"n":14,"o":15,"p":16}"#,
    #"{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":10,"k":11,"l":12,"m":13,"n":14,"o":15,"p":16,"q":17}"#,
    #"[1,{"a":2}]"#, "12.50", "-7", #""text""#, #""\u00e9""#, "true", "null", "1e5", "-0",
  ]

  private func expectSame(_ kept: JSONValue, _ parsed: JSONValue) {
    #expect(kept == parsed && parsed == kept)
    #expect(JSONValue.compare(kept, parsed) == 0)
    #expect(kept.hashValue == parsed.hashValue)
    #expect(kept.description == parsed.description)
    guard case .object(let object) = kept, case .object(let members) = parsed else { return }
    #expect(object.count == members.count)
    for key in members.members.map(\.key) + ["", "a", "no such key", "a long key of man"] {
      #expect(object[key]?.description == members[key]?.description)
      #expect(object.value(of: MemberKey(key))?.description == members.value(of: MemberKey(key))?.description)
    }
    #expect(object.members.map(\.key) == members.members.map(\.key))
  }

  @Test(arguments: texts) func `a kept text is the same value`(text: String) throws {
    let (parsed, kept) = try #require(Self.readings(text))
    expectSame(kept, parsed)
  }

  @Test(arguments: texts) func `a kept text can be changed`(text: String) throws {
    let (value, text) = try #require(Self.readings(text))
    guard case (.object(var parsed), .object(var kept)) = (value, text) else { return }
    for key in ["a", "new", "seq"] {
      parsed[key] = .string(key)
      kept[key] = .string(key)
    }
    parsed["b"] = nil
    kept["b"] = nil
    expectSame(.object(kept), .object(parsed))
    expectSame(text, value)
  }

  @Test func `kept texts are equal where their values are`() throws {
    let values = ["1", "1.0", "10e-1", "2", "\"1\"", "true", "null", "[1]", "[ 1 ]", "{}", "{\"a\":1}", "{\"a\": 1}"]
    let texts =
      values.map { #"{"k":\#($0)}"# } + values.map { #"{"k":\#($0),"l":1}"# } + values.map { #"{"l":1, "k":\#($0)}"# }
    for one in texts {
      for other in texts {
        let (first, second) = try (#require(Self.readings(one)), #require(Self.readings(other)))
        #expect((first.kept == second.kept) == (first.parsed == second.parsed), "\(one) \(other)")
      }
    }
  }

  @Test(arguments: [11])
  func `texts with random errors are the same value where they are one`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let bytes = Array(" \"{}[],:1230.-eabk".utf8)
    for round in 0..<6_000 {
      var text = Array(Self.texts[round % Self.texts.count].utf8)
      for _ in 0...Int.random(in: 0...2, using: &random) {
        text[Int.random(in: 0..<text.count, using: &random)] = bytes.randomElement(using: &random) ?? 0
      }
      if let (parsed, kept) = Self.readings(String(decoding: text, as: UTF8.self)) { expectSame(kept, parsed) }
    }
  }

  @Test(arguments: [11])
  func `numbers of all lengths are the doubles that the parser makes`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    for _ in 0..<20_000 {
      let digits = Int.random(in: 1...17, using: &random)
      var text = String((0..<digits).map { _ in "0123456789".randomElement(using: &random) ?? "0" })
      text = String(text.drop { $0 == "0" })
      if text.isEmpty || Bool.random(using: &random) {
        text = (text.isEmpty ? "0" : text) + "." + String(Int.random(in: 0...99_999, using: &random))
      }
      if Bool.random(using: &random) { text = "-" + text }
      guard let (parsed, kept) = Self.readings(text) else { continue }
      #expect(kept == parsed && kept.description == parsed.description, "\(text)")
    }
  }
}
