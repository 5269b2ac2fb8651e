import Testing

@testable import GraphModel

struct YAMLJSONFileTests {
  @Test(arguments: [
    ("{}", "{}"), (" [ 1 , -2.50 , 1e3 , true , false , null ] \n", "[1,~-2.50,~1e3,true,false,null]"),
    (#"{"a":{"b":"c"},"":1}"#, #"{a:{b:"c"},:1}"#),
    (#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00""#, "\"\\\"\\\\/\\u{08}\\u{0C}\\n\\r\\té😀\""),
    ("\"\u{2028}\u{85}é\"", "\u{2028}\u{85}é".debugDescription), ("{\"<<\":1}", "{<<:1}"),
    ("\t{\n\t\"a\"\n:\n1}", "{a:1}"),
    (#"["no", "12"]"#, #"["no","12"]"#), ("-0", "-0"),
  ])
  func `a file that ends in json is JSON`(text: String, value: String) {
    #expect(parse(text, name: "f.json") == value)
  }

  @Test(arguments: [
    ("{\"a\": 1,}", "1:9: error: trailing comma before \"}\""), ("[1,]", "1:4: error: expected a value"),
    ("{a: 1}", "1:2: error: expected a key in double quotes"),
    ("{\"a\" 1}", "1:6: error: expected \":\" after the key"),
    ("[1 2]", "1:4: error: expected \",\" or \"]\""),
    ("{\"a\":1", "1:7: error: expected \",\" or \"}\", but the file ends"),
    ("[\n  yes\n]", "2:3: error: JSON has no value yes; text needs double quotes"),
    ("01", "1:1: error: JSON has no value 01; text needs double quotes"),
    ("+1", "1:1: error: JSON has no value +1; text needs double quotes"),
    ("1.", "1:1: error: JSON has no value 1.; text needs double quotes"),
    ("", "1:1: error: expected a value, but the file ends"),
    ("{} {}", "1:4: error: unexpected text after the value of the document"), ("'a'", "1:1: error: expected a value"),
    ("\"ab", "1:1: error: unterminated string"),
    ("\"a\nb\"", "1:3: error: a control character, such as a line break, must be escaped in a string"),
    (#"["é\x"]"#, "1:4: error: invalid escape in JSON"),
    (#""\ud83d""#, "1:2: error: unpaired surrogate"),
    (#""\ud83dx""#, "1:2: error: unpaired surrogate"),
    (#""\ude00""#, "1:2: error: unpaired surrogate"),
    (#""\u12g4""#, "1:2: error: \\u needs four hexadecimal digits"), ("# x\n{}", "1:1: error: expected a value"),
    ("{\"a\":1,\n \"a\":2}", "2:2: error: duplicate key \"a\""),
    ("{\"a\":1,\"\\u0061\":2}", "1:8: error: duplicate key \"a\""),
  ])
  func `JSON is taken strictly`(text: String, found: String) {
    #expect(parse(text, name: "f.json").hasPrefix("f.json:\(found)\n"), "\(parse(text, name: "f.json"))")
  }

  @Test func `an expression in JSON has its string's start as its place`() {
    let problems = Problems()
    let root = ConfigurationText.read(Array(#"{"map": ".a + "}"#.utf8), name: "f.json", index: 0, problems: problems)
      .root
    #expect(root?["map"]?.place(ofByte: 4).column == 9)
  }
}
