import Foundation
import Testing

@Suite struct OperatorDocumentTests {
  @Test func `each operator is in the article about operators`() throws {
    let core = URL(filePath: #filePath).resolvingSymlinksInPath()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Sources/ReactiveCore")
    let article = try String(contentsOf: core.appending(path: "ReactiveCore.docc/Operators.md"), encoding: .utf8)
    let names = try FileManager.default.subpathsOfDirectory(atPath: core.appending(path: "Operators").path)
      .filter { $0.hasSuffix(".swift") }
      .flatMap { path in
        try String(contentsOf: core.appending(path: "Operators/\(path)"), encoding: .utf8)
          .matches(of: #/public (?:static )?func `?(\w+)`?[<(]/#).map { String($0.output.1) }
      }
    // Strategies and the default logger are not operators.
    let operators = Set(names).subtracting(["concurrent", "defaultEventLog"])
    #expect(operators.count > 80)
    for name in operators.sorted() { #expect(article.contains("`\(name)("), "\(name) is missing") }
  }
}
