import Foundation
import Testing

struct TestCommandTests {
  private static let graph = """
    signalbox: 1
    graphs:
      climate:
        signals:
          raw: {input: {type: object}}
          celsius: {from: raw, pipe: [{filter: .unit == "C"}, {map: .value}]}
          alarm: {from: celsius, pipe: [{map: . > 25}, skip_repeats, {debounce: 2s}]}
        tests:
          - name: a hot room raises the alarm after two quiet seconds
            values: {a: {unit: C, value: 30}}
            given:  {raw:   "a------"}
            expect: {alarm: "--t----"}

    """
  private static let wrong =
    graph + """
            - name: at once
              values: {a: {unit: C, value: 30}}
              given:  {raw:   "a------"}
              expect: {alarm: "-t-----"}

      """

  @Test func `tests that pass are counted, and named when asked for`() throws {
    let file = try TemporaryFile(Self.graph)
    let result = try Client.run("test", file.path)
    #expect(result.status == 0)
    #expect(result.output == "\(file.path): 1 test passed\n")
    let verbose = try Client.run("test", "--verbose", file.path)
    #expect(
      verbose.output.hasPrefix(
        "\(file.path):9:15: passed: climate: a hot room raises the alarm after two quiet seconds\n"))
    let none = try Client.run("test", "--filter", "cold", file.path)
    #expect(none.status == 1 && none.errors == "signalbox: no test name contains cold\n")
  }

  @Test func `a test that fails shows both diagrams, one under the other, at its line`() throws {
    let file = try TemporaryFile(Self.wrong)
    let right = try TemporaryFile(Self.graph)
    let result = try Client.run("test", file.path, right.path)
    #expect(result.status == 1)
    #expect(
      result.output == """
        \(file.path):16:25: failed: climate: at once
          alarm
          expected  -t-----
          actual    --t----
                     ^
          at 1s: expected true, found nothing
        \(file.path): 1 of 2 tests failed
        \(right.path): 1 test passed

        """)
  }

  @Test func `outcomes are reported in the formats of programs`() throws {
    let file = try TemporaryFile(Self.wrong)
    let report = try TemporaryFile("", suffix: ".xml")
    #expect(try Client.run("test", "--junit", report.path, file.path).status == 1)
    #expect(
      try report.text.contains("<testcase name=\"at once\" classname=\"climate\" file=\"\(file.path)\" line=\"13\""))
    #expect(try Client.run("test", "--junit", "-", file.path).output.hasPrefix("<?xml version=\"1.0\""))
    let lines = try Client.run("test", "--json", file.path).output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[1].contains(#""test":"at once""#) && lines[1].contains(#""passed":false"#))
  }

  @Test func `a file that is wrong does not keep the others from being tested`() throws {
    let file = try TemporaryFile(Self.graph)
    let wrong = try TemporaryFile(Self.graph.replacing("alarm: {from", with: "lamp: {from"))
    let result = try Client.run("test", wrong.path, file.path)
    #expect(result.status == 78)
    #expect(result.output == "\(file.path): 1 test passed\n")
    #expect(result.errors.contains("no signal \"alarm\" in graph \"climate\""))
    let report = try Client.run("test", "--junit", "-", wrong.path, file.path)
    #expect(report.status == 78)
    #expect(report.output.contains("<testsuites tests=\"2\" failures=\"0\" errors=\"1\""))
    #expect(report.output.contains("<error message=\"invalid configuration\">\(wrong.path):"))
  }

  @Test func `a report that cannot be written is an error`() throws {
    let file = try TemporaryFile(Self.graph)
    #expect(try Client.run("test", "--junit", "/nonexistent/report.xml", file.path).status == 73)
  }
}
