import GraphModel
import Testing

@Suite struct `The severity and the precision of signals` {
  private static func traits(_ signal: String) throws -> SignalTraits? {
    try TestGraph.configuration(signals: signal).graphs.first?.signals.first?.traits
  }

  @Test func `are read in both forms`() throws {
    let short = try Self.traits("a: {input: {}, severity: warning}")
    #expect(short?.severity?.level == .warning && short?.severity?.condition == nil && short?.precision == nil)
    let long = try Self.traits("a: {input: {}, precision: 2, severity: {level: critical, when: . > 3}}")
    #expect(long?.severity?.level == .critical && long?.severity?.condition == ". > 3" && long?.precision == 2)
  }

  @Test(arguments: [
    ("a: {input: {}, severity: fatal}", "expected one of info, warning, critical"),
    ("a: {input: {}, severity: {levl: info}}", "unknown key of a severity \"levl\""),
    ("a: {input: {}, severity: {when: .}}", "severity takes a level, or {level, when}"),
    ("a: {input: {}, severity: {level: info, when: '['}}", "the expression ends here; missing value"),
    ("a: {input: {}, precision: 16}", "must be at most 15"),
    ("a: {input: {}, precision: some}", "expected an integer"),
    ("a: {merge: [{value: 1, severity: info}]}", "\"severity\" requires a named signal"),
  ])
  func `have errors that name their place`(signals: String, error: String) throws {
    do {
      _ = try TestGraph.configuration(signals: signals)
      Issue.record("it is accepted")
    } catch ConfigurationError.invalid(let diagnostics) {
      #expect(diagnostics.list.contains { $0.text.contains(error) && $0.place.line >= 5 }, "\(diagnostics.list)")
    }
  }
}
