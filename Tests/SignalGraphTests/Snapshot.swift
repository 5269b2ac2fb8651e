import Foundation
import Testing

/// A text that is generated and committed.
///
/// `UPDATE_SNAPSHOTS=1 swift test --filter NAME` writes it anew.
enum Snapshot {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardizedFileURL

  /// Compares a text with the committed file of a path from the top of the repository.
  static func expect(_ text: String, at path: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let file = root.appending(path: path)
    if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1" {
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    let written = (try? String(decoding: Data(contentsOf: file), as: UTF8.self)) ?? ""
    #expect(written == text, "write \(path) anew: UPDATE_SNAPSHOTS=1 swift test", sourceLocation: sourceLocation)
  }
}
