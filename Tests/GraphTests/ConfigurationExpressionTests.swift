import GraphModel
import Testing

struct ConfigurationExpressionTests {
  @Test(arguments: [
    ("{a: .x}", "a mapping", "\"{a: .x}\""), ("[.a, .b]", "a list", "\"[.a, .b]\""),
    ("{a, b: .c}", "a mapping", "\"{a, b: .c}\""),
    ("{a: \"x\"}", "a mapping", "'{a: \"x\"}'"), ("{a: 'it''s'}", "a mapping", "'{a: \"it''s\"}'"),
    ("{a: [.b, {c: 1}]}", "a mapping", "\"{a: [.b, {c: 1}]}\""),
    ("\n  a: .x\n  b: .y", "a mapping", "\"{a: .x, b: .y}\""),
  ])
  func `a mapping or list in an expression's place is an error that prints the quoted form`(
    text: String, kind: String, quoted: String
  ) {
    let (value, found) = ConfigurationWorld().read("map: \(text)\n") {
      $0.mapping(of: ["map"])?.required("map")?.expression()?.text
    }
    #expect(value == nil)
    #expect(
      found.contains(": error: expected an expression, found \(kind); write it in quotes: \(quoted)\n"), "\(found)")
    #expect(found.split(separator: "\n").count == 3)
  }

  @Test func `the quoted form is what jq would have been given`() {
    let quoted = "'{a: \"it''s\"}'"
    #expect(ConfigurationWorld().read(quoted) { $0.expression()?.text }.value == "{a: \"it's\"}")
  }

  @Test func `an expression is taken as it is, whatever it looks like`() {
    let world = ConfigurationWorld()
    #expect(world.read("12") { $0.expression()?.text }.value == "12")
    #expect(world.read("true") { $0.expression()?.text }.value == "true")
    #expect(world.read("'\"${HOME}\"'") { $0.expression()?.text }.value == "\"${HOME}\"")
    let (_, found) = world.read("map:") { $0.mapping(of: ["map"])?.required("map")?.expression() }
    #expect(found == "f.yaml:1:5: error: missing expression\n  map:\n      ^\n")
  }

  @Test(arguments: [
    ("a: .x + y", 5, 9), ("a: '.x + y'", 5, 10), ("a: '\"it''s\" + y'", 9, 15), ("a: 'ä + y'", 5, 9),
    ("a: ä + y", 5, 8),
    ("a: &anchor .x + y", 5, 17), ("a: !!str '.x + y'", 5, 16), ("a: \".x + y\"", 5, 4), ("a: |\n  .x + y", 5, 4),
    ("a: .x\n  + y", 5, 4), ("a: '.x\n  + y'", 5, 4), ("a:   .x   ", 1, 7), ("{a: .x + y}", 5, 10),
  ])
  func `columns are exact in plain and single-quoted scalars on one line, else the scalar's start`(
    text: String, offset: Int, column: Int
  ) {
    let (place, _) = ConfigurationWorld().read(text) {
      $0.mapping(of: ["a"])?.required("a")?.expression()?.place(ofByte: offset)
    }
    #expect(place?.line == 1)
    #expect(place?.column == column)
  }
}
