import Foundation
import Testing

@Suite struct ContractDocumentTests {
  /// The package's root, relative to this file.
  private static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test func `each heading of the contract is the name of a test`() throws {
    let document = try String(
      contentsOf: Self.root.appending(path: "Sources/ReactiveCore/CONTRACTS.md"), encoding: .utf8)
    let headings = document.split(separator: "\n").filter { $0.hasPrefix("### ") }.map { $0.dropFirst(4) }
    let folder = Self.root.appending(path: "Tests/ReactiveCoreTests")
    let tests = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
      .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }.joined()
    #expect(headings.count > 30)
    for heading in headings {
      #expect(tests.contains("func `\(heading)`("), "no test is called \(heading)")
    }
  }
}
