import Foundation
import Testing

@Suite struct OperatorDocumentTests {
  @Test func `each operator is in the article about operators`() throws {
    let path = "Sources/ReactiveCore/ReactiveCore.docc/Operators.md"
    let article = try String(contentsOf: LibrarySource.root.appending(path: path), encoding: .utf8)
    let names = try LibrarySource.files(in: "Operators").flatMap { file in
      try String(contentsOf: file, encoding: .utf8)
        .matches(of: #/public (?:static )?func `?(\w+)`?[<(]/#).map { String($0.output.1) }
    }
    // Strategies and the default logger are not operators.
    let operators = Set(names).subtracting(["concurrent", "defaultEventLog"])
    #expect(operators.count > 80)
    for name in operators.sorted() { #expect(article.contains("`\(name)("), "\(name) is missing") }
  }
}
