import Foundation

/// A file for the duration of a test.
struct TemporaryFile: ~Copyable {
  let path: String

  init(_ text: String, suffix: String = ".yaml") throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("signalbox-\(UUID().uuidString)").path + suffix
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }

  var text: String {
    get throws { try String(contentsOfFile: path, encoding: .utf8) }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
