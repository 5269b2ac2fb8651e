import Foundation
import Testing

/// An operator as declared in the source: its name, and the label that distinguishes its overloads.
struct DeclaredOperator: Hashable, Sendable, CustomTestStringConvertible {
  let word: String
  let label: String

  /// Returns the prefixes of the names of cases that show it: `map `, but `take(first:` because others share the name.
  func beginnings(among all: [DeclaredOperator]) -> [String] {
    let isAlone = all.count { $0.word == word } == 1
    if isAlone { return ["\(word) ", "\(word)("] }
    return label.isEmpty ? ["\(word) ", "\(word)(."] : ["\(word)(\(label):"]
  }

  var testDescription: String { label.isEmpty ? word : "\(word)(\(label):)" }
}

extension DeclaredOperator {
  /// Returns the operators that the source declares on signals and producers.
  static func all() throws -> [DeclaredOperator] {
    let source = try LibrarySource.files(in: "Operators").map { try String(contentsOf: $0, encoding: .utf8) }.joined()
    // Members of extensions are indented by two columns.
    let members = source.matches(
      of: /\n  (?:@\w+(?:\(\w+\))? )*public (?:static )?func `?(\w+)`?[^(]*\(\s*(\w*)([^,\n]*)/)
    let operators = members.map { match in
      // The label of an optional argument distinguishes nothing.
      let label = match.output.3.contains(" = ") || match.output.2 == "_" ? "" : String(match.output.2)
      return DeclaredOperator(word: String(match.output.1), label: label)
    }
    return Set(operators).sorted { $0.testDescription < $1.testDescription }
  }
}

@Suite struct CoverageTests {
  /// Members that are not stream operators, or need other cases because they share what they start.
  private static let others: Set<String> = ["concurrent", "lift", "replayLazily", "replayingPipe"]

  private static let declared = (try? DeclaredOperator.all()) ?? []
  static let shown = declared.filter { !others.contains($0.word) }

  /// True if one of the cases is named after the operator; a name may list several, separated by commas.
  private func shows(_ names: [String], _ declaration: DeclaredOperator) -> Bool {
    let beginnings = declaration.beginnings(among: CoverageTests.declared)
    return names.flatMap { $0.components(separatedBy: ", ") }
      .contains { name in beginnings.contains { "\(name) ".hasPrefix($0) } }
  }

  @Test func `the operators are found in the source`() {
    let names = CoverageTests.shown.map(\.testDescription)
    #expect(names.count > 100)
    #expect(["map", "take(first:)", "flatMap", "race(with:)", "switch"].allSatisfy(names.contains))
  }

  @Test(arguments: shown) func `each operator that is declared has a marble case`(_ declaration: DeclaredOperator) {
    #expect(shows(OperatorTests.cases.map(\.name), declaration))
  }

  @Test(arguments: shown) func `each operator that is declared has a case of what it holds`(
    _ declaration: DeclaredOperator
  ) {
    #expect(shows(LeakTests.cases.map(\.name), declaration))
  }
}
