import Base
import GraphModel
import JSON
import Testing

struct ConfigurationReaderTests {
  private enum Overflow: String, CaseIterable { case drop_oldest, drop_newest, latest }

  @Test func `unknown keys are reported with the nearest one, or with those that are known`() {
    let (_, found) = ConfigurationWorld().read("intial: 1\nzzzzzz: 2\ntype: 3\n") { reader in
      _ = reader.mapping(of: ["initial", "type"])
    }
    #expect(
      found == """
        f.yaml:1:1: error: unknown key "intial"; did you mean "initial"?
          intial: 1
          ^~~~~~
        f.yaml:2:1: error: unknown key "zzzzzz"; known: initial, type
          zzzzzz: 2
          ^~~~~~

        """)
  }

  @Test func `a missing key is reported at its mapping`() {
    let (_, found) = ConfigurationWorld().read("a: {b: 1}") {
      $0.mapping(of: ["a"])?.required("a")?.mapping(of: ["b", "c"])?.required("c")
    }
    #expect(found == "f.yaml:1:4: error: missing \"c\"\n  a: {b: 1}\n     ^~~~~~\n")
  }

  @Test(arguments: [
    ("x", "x"), ("'12'", "12"), ("no", "no"), ("\"\"", ""), ("12", nil), ("true", nil), ("~", nil), ("[x]", nil),
  ])
  func `a string is text or quoted`(text: String, value: String?) {
    let (read, found) = ConfigurationWorld().read(text) { $0.string() }
    #expect(read == value)
    #expect(found.isEmpty == (value != nil))
  }

  @Test(arguments: [
    ("0", 0), ("0x10", 16), ("1e2", 100), ("1.5", nil), ("'1'", nil), ("11", nil), ("101", nil), ("x", nil),
  ])
  func `a whole number lies in its range`(text: String, value: Int?) {
    let allowed = text == "11" ? 0...10 : 0...100
    #expect(ConfigurationWorld().read(text) { $0.int(in: allowed) }.value == value)
  }

  @Test(arguments: [
    ("250ms", 250), ("2s", 2_000), ("1m30s", 90_000), ("1h", 3_600_000), ("1d1h1m1s1ms", 90_061_001), ("0s", 0),
    ("'5s'", 5_000), ("90m", 5_400_000),
    ("5", nil), ("s", nil), ("1s1m", nil), ("1s1s", nil), ("1.5s", nil), ("-1s", nil), ("1 s", nil), ("1us", nil),
    ("", nil),
    ("99999999999999999999s", nil), ("40000d", nil), ("9223372036854775807d", nil),
  ])
  func `a duration has units, the largest first`(text: String, milliseconds: Int?) {
    let (value, found) = ConfigurationWorld().read(text) { $0.duration() }
    #expect(value == milliseconds.map { .milliseconds($0) })
    #expect(found.isEmpty == (value != nil))
  }

  @Test(arguments: [
    ("4096", 4_096), ("64KiB", 65_536), ("1MiB", 1_048_576), ("2GiB", 2_147_483_648), ("7B", 7), ("'1KiB'", 1_024),
    ("1KB", nil), ("1.5MiB", nil), ("-1", nil), ("MiB", nil), ("+1KiB", nil), ("9999999999999GiB", nil),
  ])
  func `a size is bytes or has a binary unit`(text: String, size: Int?) {
    #expect(ConfigurationWorld().read(text) { $0.size() }.value == size)
  }

  @Test func `durations and sizes are written in the largest units that fit`() {
    #expect(
      [0, 250, 90_000, 3_600_000, 90_061_001].map { DurationText.written(.milliseconds($0)) } == [
        "0s", "250ms", "1m30s", "1h", "1d1h1m1s1ms",
      ])
    #expect(
      [0, 5, 4_096, 1 << 20, (1 << 20) + 1].map(SizeText.written) == [
        "0 bytes", "5 bytes", "4KiB", "1MiB", "1048577 bytes",
      ])
  }

  @Test(arguments: [
    ("\"0660\"", 0o660), ("0660", 0o660), ("'660'", 0o660), ("0o660", 0o660), ("660", nil), ("'0680'", nil),
    ("'01777'", nil), ("'+660'", nil), ("rw", nil),
  ])
  func `a mode is octal`(text: String, mode: UInt32?) {
    #expect(ConfigurationWorld().read(text) { $0.mode() }.value == mode)
  }

  @Test func `a choice suggests the nearest word`() {
    let world = ConfigurationWorld()
    #expect(world.read("latest") { $0.choice(of: Overflow.self) }.value == .latest)
    #expect(
      world.read("drop_oldst") { $0.choice(of: Overflow.self) }.found.hasPrefix(
        "f.yaml:1:1: error: expected one of drop_oldest, drop_newest, latest, found \"drop_oldst\"; "
          + "did you mean \"drop_oldest\"?\n"))
  }

  @Test(arguments: [
    ("smooth", ["smooth"]), ("climate.smooth", ["climate", "smooth"]), ("c.fan.values", ["c", "fan", "values"]),
    ("a-b_9", ["a-b_9"]), ("a.b.c.d", nil), ("a..b", nil), (".a", nil), ("a b", nil), ("ä", nil), ("''", nil),
  ])
  func `a name has letters, digits, dashes and underscores in up to three parts`(text: String, parts: [String]?) {
    #expect(ConfigurationWorld().read(text) { $0.dottedName() }.value == parts)
  }

  @Test func `one text may stand for a list of one`() {
    let world = ConfigurationWorld()
    #expect(world.read("x") { $0.textOrList() }.value == ["x"])
    #expect(world.read("[sleep, 10, true]") { $0.textOrList() }.value == ["sleep", "10", "true"])
    #expect(world.read("[sleep, 10]") { $0.textList() }.value == ["sleep", "10"])
    #expect(world.read("sleep") { $0.textList() }.found.contains("expected a list, found \"sleep\""))
  }

  @Test func `a value keeps the text of its numbers`() {
    let (value, _) = ConfigurationWorld().read("{a: [1.10, 12345678901234567890, 2], b: no, c: null}") { $0.value() }
    #expect(value?.written == "{a:[~1.10,~12345678901234567890,2],b:\"no\",c:null}")
  }

  @Test func `each bad scalar inside a value is reported`() {
    let (value, found) = ConfigurationWorld().read("{a: .inf, b: [.nan]}") { $0.value() }
    #expect(value == nil)
    #expect(found.contains("f.yaml:1:5: error: JSON has no number .inf\n"))
    #expect(found.contains("f.yaml:1:15: error: JSON has no number .nan\n"))
  }
}
