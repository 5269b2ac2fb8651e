import Foundation

/// A file of the journal of systemd that a test writes, with Debian's `systemd-journal-remote`: no journald is needed.
package struct JournalFile {
  private let path: String

  /// - Parameter path: Its end must be `.journal`, or the library does not see it.
  package init(_ path: String) { self.path = path }

  /// Adds entries in the order in which they are given; each has the time after the one before, counted in seconds.
  ///
  /// - Parameters:
  ///   - entries: Fields and their values; one value may be any bytes, and a name may be there several times.
  ///   - second: The time of the first, in seconds after a moment of the year 2023.
  package func add(_ entries: [[(String, [UInt8])]], at second: Int) throws {
    var text: [UInt8] = []
    for (index, entry) in entries.enumerated() {
      let seconds = second + index
      text += Array("__REALTIME_TIMESTAMP=\(1_700_000_000 + seconds)000000\n".utf8)
      text += Array("__MONOTONIC_TIMESTAMP=\(seconds)000000\n".utf8)
      text += Array("_BOOT_ID=0123456789abcdef0123456789abcdef\n".utf8)
      for (name, value) in entry {
        // The form of the export format that takes any bytes: the length in little endian before them.
        text += Array("\(name)\n".utf8)
        text += (0..<8).map { UInt8(truncatingIfNeeded: value.count >> ($0 * 8)) }
        text += value + [UInt8(ascii: "\n")]
      }
      text.append(UInt8(ascii: "\n"))
    }
    try write(text)
  }

  /// The same with entries that have a message and perhaps more texts.
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
