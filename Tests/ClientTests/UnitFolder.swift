import Foundation

/// A folder of units in place of the system's, for the duration of a test.
struct UnitFolder: ~Copyable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("signalbox-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file, creating its folders.
  func write(_ text: String, to name: String) throws {
    let file = URL(fileURLWithPath: self(name))
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
  }

  /// The path of a file in it.
  func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

  /// Runs `signalbox check --unit` with these units.
  func check(_ configuration: String) throws -> Client.Result {
    try write("signalbox: 1\n" + configuration, to: "c.yaml")
    return try Client.run("check", "--unit", self("c.yaml"), environment: ["SYSTEMD_UNIT_PATH": path])
  }
}
