import GraphModel
import Testing

/// Tests are checked with the rest of the file.
struct GraphTestDiagnosticsTests {
  @Test(arguments: [
    ("given: {rwa: '1'}, expect: {late: '1'}", 18, "no signal \"rwa\" in graph \"g\"; did you mean \"raw\"?"),
    ("expect: {lat: '1'}", 19, "no signal \"lat\" in graph \"g\"; did you mean \"late\"?"),
    (
      "given: {late: '1'}, expect: {late: '1'}", 18,
      "\"late\" is computed from raw; give that signal, and expect this one"
    ),
    ("expect: {late: '1-+'}", 28, "in this diagram, '+' is no mark: one of - ( ) | # ! or a letter or digit"),
    ("expect: {late: '1|2'}", 28, "in this diagram, nothing can follow the ending"),
    ("expect: {late: '1(2'}", 27, "in this diagram, this parenthesis is not closed"),
    ("expect: {late: [1]}", 25, "expected a diagram such as \"--a-b|\", found a list"),
    ("values: {ab: 1}, expect: {late: '1'}", 19, "invalid letter \"ab\" for a diagram: use one letter or digit"),
    ("tick: 0s, expect: {late: '1'}", 16, "must be at least 1ms"),
    ("expects: {late: '1'}", 10, "unknown key \"expects\"; did you mean \"expect\"?"),
    ("script: [{send: {raw: 1}}], expect: {late: '-'}", 19, "missing \"at\""),
    (
      "script: [{at: 1s}], expect: {late: '-'}", 19,
      "empty step: give one of send, end, expect, expect_end, subscribe, unsubscribe, call"
    ),
    ("script: [{at: 1s, sned: {raw: 1}}], expect: {late: '-'}", 28, "unknown key \"sned\"; did you mean \"send\"?"),
    (
      "script: [{at: 1, expect: {late: 1}}]", 24,
      "expected a duration such as 250ms, 2s or 1m30s, found the number 1; did you mean \"1s\"?"
    ),
    ("script: [{at: 1s, expect: late}]", 36, "expected {signal: value}, found \"late\""),
    (
      "script: [{at: 1s, expect_end: {late: complete}}]", 47,
      "expected completed, interrupted, failed or {failed: {code: …}}, found \"complete\"; did you mean \"completed\"?"
    ),
    (
      "script: [{at: 1s, unsubscribe: x}], expect: {late: '-'}", 41,
      "no earlier step subscribes as \"x\""
    ),
    (
      "script: [{at: 1s, subscribe: {as: raw, to: late}}]", 44,
      "\"raw\" is the name of a signal: choose another for the subscriber"
    ),
    ("given: {raw: '1'}", 9, "the test has no expectations"),
    ("stubs: [lat], expect: {raw: '-'}", 18, "no signal \"lat\" in graph \"g\"; did you mean \"late\"?"),
    ("stubs: late, expect: {raw: '-'}", 17, "expected a list, found \"late\""),
    (
      "stubs: [each], expect: {raw: '-'}", 18, "\"each\" is cold: it runs once per subscriber"
    ),
    (
      "tick: 1us, expect: {raw: '-'}", 16,
      "expected a duration such as 250ms, 2s or 1m30s, found \"1us\""
    ),
    (
      "about: -1, expect: {raw: '-'}", 17,
      "expected a tolerance, such as 0.001, found the number -1"
    ),
    ("expect: {late: '---1'}, until: 2s", 41, "the test already runs until 3s"),
    (
      "tick: 36500d, given: {raw: '-1-'}, expect: {late: '-'}", 37,
      "with a tick of 36500d this diagram is longer than 36500d"
    ),
    (
      "tick: 18250d1ms, expect: {late: '---'}", 42,
      "with a tick of 18250d1ms this diagram is longer than 36500d"
    ),
  ])
  func `an error in a test is reported with its place`(test: String, column: Int, message: String) throws {
    let found = Self.problems("[{\(test)}]")
    #expect(found.map(\.text) == [message])
    #expect(found.map(\.place.line) == [8])
    #expect(found.first?.place.column == column + 4)
  }

  private static func problems(_ tests: String) -> [Diagnostic] {
    let text = """
      signalbox: 1
      graphs:
        g:
          signals:
            raw: {input: {}}
            late: {from: raw, pipe: [{debounce: 2s}]}
            each: {interval: 1s, cold: true}
          tests: \(tests)
      """
    do {
      return try TestGraph.configuration(text).warnings.list
    } catch ConfigurationError.invalid(let diagnostics) {
      return diagnostics.list
    } catch {
      return []
    }
  }
}
