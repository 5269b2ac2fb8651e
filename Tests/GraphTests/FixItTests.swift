import JSON
import Testing

@testable import GraphCatalogue
@testable import GraphModel

struct FixItTests {
  private func fixed(_ text: String) -> String {
    let world = ConfigurationWorld(files: ["f.yaml": text])
    let diagnostics: Diagnostics
    do throws(ConfigurationError) {
      diagnostics = try Configuration.load(.alone("f.yaml"), inputs: world.inputs).warnings
    } catch {
      guard case .invalid(let found) = error else { return "" }
      diagnostics = found
    }
    let fixIts = diagnostics.list.compactMap(\.fixIt)
    return fixIts.first?.place.source.applying(fixIts).text ?? text
  }

  @Test(arguments: [
    ("{a: {inptu: {}}}", "{a: {input: {}}}"),
    ("{a: {input: {type: objekt}}}", "{a: {input: {type: object}}}"),
    ("{a: {input: {type: 'objekt'}}}", "{a: {input: {type: 'object'}}}"),
    ("{abc: {input: {}}, b: {from: \"abd\"}}", "{abc: {input: {}}, b: {from: \"abc\"}}"),
    (
      "{a: {input: {}}, b: {from: a, pipe: [skip_repeat, {debounc: 1s}]}}",
      "{a: {input: {}}, b: {from: a, pipe: [skip_repeats, {debounce: 1s}]}}"
    ),
    (
      "{ä: {input: {}}, b: {value: 'ü', unit: °C, hodl: true}}",
      "{ä: {input: {}}, b: {value: 'ü', unit_of_measurement: °C, hold: true}}"
    ),
  ])
  func `a fix-it replaces its word and keeps every other byte`(wrong: String, right: String) {
    let (head, tail) = ("signalbox: 1  # first\r\ngraphs: {g: {signals: ", "}}\n\n")
    #expect(fixed(head + wrong + tail) == head + right + tail)
  }

  @Test(arguments: [
    "{ab: {input: {}}, ac: {input: {}}, b: {from: ad}}", "{a: {input: {}}, b: {from: g.aa}}",
    "{a: {input: {type: '${TYPE:-objekt}'}}}",
  ])
  func `a word that several are near, or that the file does not contain, has no fix-it`(signals: String) {
    let text = "signalbox: 1\ngraphs: {g: {signals: \(signals)}}\n"
    #expect(fixed(text) == text)
  }

  @Test func `replacements at one place are applied once`() {
    let file = SourceFile(name: "f", text: "one two\nthree\n")
    let (first, second) = (Place(file: file, line: 1, column: 5), Place(file: file, line: 2, column: 1))
    let fixIts = [
      FixIt(at: second, replacing: "three", with: "3"), FixIt(at: first, replacing: "two", with: "2"),
      FixIt(at: first, replacing: "two", with: "2"),
    ].compactMap(\.self)
    let (text, applied) = file.applying(fixIts)
    #expect(text == "one 2\n3\n")
    #expect(applied.map(\.replacement) == ["2", "3"])
  }
}
