import Foundation
import Testing

@Suite struct ExampleDocumentTests {
  private static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test(arguments: ["ReactiveCore", "ReactiveTesting"])
  func `each example is the body of a test`(library: String) throws {
    let tests = try String(
      contentsOf: Self.root.appending(path: "Tests/ReactiveCoreTests/DocumentExamples.swift"), encoding: .utf8)
    let blocks = try Self.texts(of: library).flatMap(Self.blocks)
    #expect(!blocks.isEmpty)
    for block in blocks {
      let body = block.map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n")
      #expect(tests.contains("() {\n\(body)\n  }\n"), "no test has the body \(block)")
    }
  }

  @Test(arguments: ["ReactiveCore", "ReactiveTesting"])
  func `examples in doc comments stand between fences`(library: String) throws {
    for text in try Self.texts(of: library) {
      #expect(text.firstMatch(of: #/(?m)^ *\/\/\/ {5,}(let|var|#expect)\b/#) == nil)
    }
  }

  /// Returns the articles and sources of a library.
  private static func texts(of library: String) throws -> [String] {
    let folder = root.appending(path: "Sources/\(library)")
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") || $0.hasSuffix(".md") }
      .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
  }

  /// Returns the lines between the fences of Swift code, without doc comment markers.
  private static func blocks(in text: String) -> [[String]] {
    let plain = text.replacing(#/(?m)^ *\/\/\/ ?/#, with: "")
    return plain.components(separatedBy: "```swift\n").dropFirst().map {
      Array($0.components(separatedBy: "\n```")[0].components(separatedBy: "\n"))
    }
  }
}
