import Foundation

/// A text that a program prints and that is committed, so that an installation has it without running the program.
enum Committed {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardizedFileURL

  /// The lines of a file that is there.
  static func lines(of path: String) throws -> [String] {
    try String(contentsOf: root.appending(path: path), encoding: .utf8).components(separatedBy: "\n")
  }

  /// The committed text of a path from the top of the repository; `UPDATE_SNAPSHOTS=1` writes it anew.
  static func text(of path: String, printed: String) throws -> String {
    let file = root.appending(path: path)
    if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1" {
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(printed.utf8).write(to: file)
    }
    return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  }
}
