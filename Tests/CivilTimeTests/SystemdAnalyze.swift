import Base
import Foundation

/// The reference for calendar events, if it is installed.
enum SystemdAnalyze {
  private static let path = "/usr/bin/systemd-analyze"
  static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

  enum Answer: Equatable {
    /// In seconds since 1970.
    case moments([Int64])
    /// It refuses the text.
    case refused
    /// It accepts the text, but fails at a clock change ("Resource deadlock avoided").
    case none
  }

  /// Returns the first moments of an event after another moment.
  static func answer(to event: String, after base: Int64, count: Int) throws -> Answer {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = ["calendar", "--base-time=@\(base)", "--iterations=\(count)", "--", event]
    process.environment = ["TZ": "UTC", "LC_ALL": "C"]
    let pipe = Pipe()
    (process.standardOutput, process.standardError) = (pipe, pipe)
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return output.contains("Failed to parse") ? .refused : .none }
    let moments = output.split(separator: "\n").compactMap { line -> Int64? in
      guard line.contains("Next elapse: ") || line.contains("Iter. #"), line.hasSuffix(" UTC") else { return nil }
      let words = line.split(separator: " ").suffix(3)
      let moment = RFC3339.microseconds(of: "\(words[words.startIndex])T\(words[words.startIndex + 1])Z")
      return moment.map { $0 / 1_000_000 }
    }
    return .moments(moments)
  }
}

/// The time zones of this machine.
enum Zones {
  static func named(_ name: String) throws -> Base.TimeZone {
    if name == "UTC" { return .utc }
    let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/\(name)")))
    guard let zone = Base.TimeZone(file: file) else { throw CocoaError(.fileReadCorruptFile) }
    return zone
  }
}

extension CalendarEvent {
  /// Returns the first of its moments after another one, all truncated to whole seconds.
  func moments(after base: Int64, count: Int) throws -> [Int64] {
    let zone = try Zones.named(zoneName ?? "UTC")
    var moments: [Int64] = []
    var last = base * 1_000_000
    while moments.count < count, let next = next(after: last, in: zone) {
      moments.append(next >= 0 ? next / 1_000_000 : (next - 999_999) / 1_000_000)
      last = next
    }
    return moments
  }
}
