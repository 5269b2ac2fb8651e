import GraphEngine
import GraphModel
import Linux

/// The standard error of a program, written to the log line by line.
struct ErrorLines {
  /// The longest line of a message, in bytes.
  private static let limit = 8192

  private var cutter = LineCutter()
  private let program: Program
  private let log: SignalLog

  init(of program: Program, log: SignalLog) {
    self.program = program
    self.log = log
  }

  mutating func append(_ bytes: [UInt8]) {
    let (program, log) = (program, log)
    cutter.append(bytes, limit: Self.limit) { Self.write($0, of: program, to: log) }
  }

  /// Writes the last line.
  mutating func finish() {
    let (program, log) = (program, log)
    cutter.finish(limit: Self.limit) { Self.write($0, of: program, to: log) }
  }

  private static func write(_ line: LineCutter.Line, of program: Program, to log: SignalLog) {
    let name = program.command[0].split(separator: "/").last ?? ""
    let text =
      switch line {
      case .whole(let bytes): String(decoding: bytes, as: UTF8.self)
      case .tooLong: "(line longer than \(limit) bytes)"
      }
    log.write(.notice, "\(name): \(text)", of: program.owner, ("program", program.command[0]))
  }
}
