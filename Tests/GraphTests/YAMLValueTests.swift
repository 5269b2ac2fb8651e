import GraphModel
import Testing

struct YAMLValueTests {
  @Test(arguments: [
    ("no", "\"no\""), ("on", "\"on\""), ("yes", "\"yes\""), ("12:30", "\"12:30\""), ("2001-01-01", "\"2001-01-01\""),
    ("tRUE", "\"tRUE\""), ("1_000", "\"1_000\""), ("0b1", "\"0b1\""), ("0x", "\"0x\""), ("0xG", "\"0xG\""),
    ("0o8", "\"0o8\""), (".", "\".\""), ("1e", "\"1e\""), ("+", "\"+\""), ("-x", "\"-x\""), ("1.2.3", "\"1.2.3\""),
    ("+0x1", "\"+0x1\""), ("inf", "\"inf\""), ("nan", "\"nan\""), ("=", "\"=\""),
    ("", "null"), ("~", "null"), ("null", "null"), ("Null", "null"), ("NULL", "null"),
    ("true", "true"), ("True", "true"), ("TRUE", "true"), ("false", "false"), ("False", "false"), ("FALSE", "false"),
    ("0", "0"), ("12", "12"), ("-12", "-12"), ("+12", "12"), ("012", "12"), ("0o17", "15"), ("0x1F", "31"),
    ("0xfFfF", "65535"), ("1.5", "1.5"), (".5", "0.5"), ("5.", "5"), ("+.5e1", "5"), ("-.5", "-0.5"),
    ("1.10", "~1.10"), ("1e3", "~1e3"), ("-0", "-0"), ("1.0", "~1.0"),
    ("12345678901234567890", "~12345678901234567890"),
    ("1e-999", "~1e-999"), ("!!str 12", "\"12\""), ("! 12", "\"12\""), ("!!int \"12\"", "12"), ("!!float 1", "1"),
    ("!!bool \"true\"", "true"), ("!!null \"\"", "null"), ("!!seq [1]", "[1]"), ("!!map {a: 1}", "{a:1}"),
    ("'12'", "\"12\""), ("\"true\"", "\"true\""), ("\"\\u00e9\\n\"", "\"é\\n\""), ("''", "\"\""),
    ("'it''s'", "\"it\\'s\""),
  ])
  func `a scalar is resolved by the core schema of YAML 1.2`(text: String, value: String) {
    #expect(parse("a: \(text)\n") == "{a:\(value)}")
  }

  private static let tooLarge =
    "the number is too large: integers are from -9223372036854775808 to 18446744073709551615"

  @Test(arguments: [
    (".inf", "JSON has no number .inf"), ("-.Inf", "JSON has no number -.Inf"), (".NaN", "JSON has no number .NaN"),
    ("1e999", "the number is too large: numbers are up to 1.7976931348623157e+308"),
    ("123456789012345678901", tooLarge), ("-9223372036854775809", tooLarge), ("0xFFFFFFFFFFFFFFFFF", tooLarge),
    ("0x20000000000001", "the number is too large: at most 9007199254740992, unless it is decimal"),
    ("!!int x", "\"x\" is not a value of !!int"), ("!!int 1.5", "\"1.5\" is not a value of !!int"),
    ("!!bool \"no\"", "\"no\" is not a value of !!bool"),
  ])
  func `a number that JSON does not have is an error when it is read`(text: String, message: String) {
    let (value, found) = ConfigurationWorld().read("a: \(text)") { $0.value() }
    #expect(value == nil)
    #expect(found.contains(" error: \(message)\n"), "\(found)")
  }

  @Test func `block and folded text keeps its lines as YAML defines`() {
    #expect(parse("a: |\n  x\n  y\nb: >-\n  x\n  y\n") == #"{a:"x\ny\n",b:"x y"}"#)
  }

  @Test func `an alias stands for what its anchor named`() {
    #expect(
      parse("a: &x {b: [1]}\nc: *x\nd: [*x, *x]\n&k e: *k\n") == "{a:{b:[1]},c:{b:[1]},d:[{b:[1]},{b:[1]}],e:\"e\"}")
  }

  @Test func `an anchor given again stands for the later node`() {
    #expect(parse("a: &x 1\nb: *x\nc: &x 2\nd: *x\n") == "{a:1,b:1,c:2,d:2}")
  }

  @Test func `keys at the top that begin with x- are a place for anchors`() throws {
    let graph = try TestGraph(
      TestGraph.configuration(
        """
        signalbox: 1
        x-pipe: &smooth [{window: {count: 2}}, {map: 'add / length'}]
        x-limits: {low: &low 1, note: '${UNSET}'}
        graphs:
          g:
            signals:
              a: {input: {}}
              b: {from: a, pipe: *smooth}
              c: {value: *low}
        """))
    for value in ["1", "3"] { try graph.send(value, to: "a") }
    #expect(graph.said(by: "b") == ["b#1 1", "b#2 2"])
  }

  @Test func `an alias inside its own anchor is an error`() {
    #expect(parse("a: &x [*x]\n").hasPrefix("f.yaml:1:8: error: the alias \"*x\" is inside its own anchor\n"))
  }

  @Test func `ten thousand aliases are expanded and one more is an error`() {
    func text(_ count: Int) -> String {
      "a: &x 1\nb: [" + Array(repeating: "*x", count: count).joined(separator: ", ") + "]\n"
    }
    #expect(parse(text(10_000)).hasPrefix("{a:1,b:[1,1,"))
    #expect(parse(text(10_001)).hasPrefix("f.yaml:2:40005: error: more than 10000 aliases"))
  }

  @Test func `aliases cannot nest deeper than nodes may`() {
    let brackets = (open: String(repeating: "[", count: 150), close: String(repeating: "]", count: 150))
    let nested = "a: &a \(brackets.open)x\(brackets.close)\n"
    #expect(parse(nested + "b: [[*a]]\n").hasPrefix("{a:[[["))
    #expect(
      parse(nested + "b: \(brackets.open)*a\(brackets.close)\n")
        .hasPrefix("f.yaml:2:154: error: nested deeper than 200 levels\n"))
    #expect(
      parse(nested + "b: &b [*a]\nc: \(brackets.open)*b\(brackets.close)\n").contains("f.yaml:3:154: error: nested"))
  }

  @Test func `a tab may stand between a key and its value`() {
    #expect(parse("a:\tb\nc: [\t1,\n\t2]\n") == "{a:\"b\",c:[1,2]}")
  }

  @Test func `aliases of aliases count each time they are expanded`() {
    var text = "a0: &a0 [x]\n"
    for level in 1...20 { text += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
    #expect(parse(text).contains(": error: more than 10000 aliases"))
  }
}
