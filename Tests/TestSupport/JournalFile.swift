import Foundation

/// A system journal file written by a test, with Debian's `systemd-journal-remote`: no journald is needed.
package struct JournalFile {
  private let path: String

  /// - Parameter path: The path, which must end in `.journal`, or the library ignores it.
  package init(_ path: String) { self.path = path }

  /// Adds entries in order, one second apart.
  ///
  /// - Parameters:
  ///   - entries: Fields and their values; one value may be any bytes, and a name may occur several times.
  ///   - second: The time of the first, in seconds after a moment of the year 2023.
  package func add(_ entries: [[(String, [UInt8])]], at second: Int) throws {
    var text: [UInt8] = []
    for (index, entry) in entries.enumerated() {
      let seconds = second + index
      text += Array("__REALTIME_TIMESTAMP=\(1_700_000_000 + seconds)000000\n".utf8)
      text += Array("__MONOTONIC_TIMESTAMP=\(seconds)000000\n".utf8)
      text += Array("_BOOT_ID=0123456789abcdef0123456789abcdef\n".utf8)
      for (name, value) in entry {
        // The export format's form for arbitrary bytes: preceded by their length in little endian.
        text += Array("\(name)\n".utf8)
        text += (0..<8).map { UInt8(truncatingIfNeeded: value.count >> ($0 * 8)) }
        text += value + [UInt8(ascii: "\n")]
      }
      text.append(UInt8(ascii: "\n"))
    }
    try write(text)
  }

  /// Adds entries with a message and optional further texts.
  package func add(_ messages: String..., at second: Int, with fields: [String: String] = [:]) throws {
    let others = fields.sorted { $0.key < $1.key }.map { ($0.key, Array($0.value.utf8)) }
    try add(messages.map { [("MESSAGE", Array($0.utf8))] + others }, at: second)
  }

  private func write(_ text: [UInt8]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/lib/systemd/systemd-journal-remote")
    process.arguments = ["--output=\(path)", "-"]
    let input = Pipe()
    (process.standardInput, process.standardError) = (input, FileHandle.nullDevice)
    try process.run()
    input.fileHandleForWriting.write(Data(text))
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
  }
}
