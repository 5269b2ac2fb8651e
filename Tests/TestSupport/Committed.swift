import Foundation
package import Testing

/// A generated text that is committed, so that readers and installations have it without running anything.
package enum Committed {
  private static let advice: Comment = "UPDATE_SNAPSHOTS=1 swift test rewrites it"

  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    .standardizedFileURL

  /// Returns the absolute path of a path relative to the repository.
  package static func path(_ path: String) -> String { root.appending(path: path).path }

  /// Returns the lines of a committed file.
  package static func lines(of path: String) throws -> [String] {
    try String(contentsOf: root.appending(path: path), encoding: .utf8).components(separatedBy: "\n")
  }

  /// Compares a generated text with a committed file; `UPDATE_SNAPSHOTS=1` rewrites the file first.
  package static func expect(
    _ text: String, at path: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let committed = try self.text(of: path, generated: text)
    #expect(committed == text, advice, sourceLocation: sourceLocation)
  }

  /// Compares a long file, and shows only the lines that differ.
  package static func expect(
    lines: [String], at path: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let committed = try text(of: path, generated: lines.joined(separator: "\n")).components(separatedBy: "\n")
    #expect(committed.count == lines.count, advice, sourceLocation: sourceLocation)
    for (number, (old, new)) in zip(committed, lines).enumerated() {
      #expect(old == new, "line \(number + 1) of \(path)", sourceLocation: sourceLocation)
    }
  }

  private static func text(of path: String, generated: String) throws -> String {
    let file = root.appending(path: path)
    if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1" {
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(generated.utf8).write(to: file)
    }
    return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  }
}
