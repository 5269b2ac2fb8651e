import Linux
import TestSupport
import Testing

/// A daemon under test: one in this process, or the real program.
protocol Host: AnyObject {
  var socket: String { get }
  /// True if it runs as a process of its own.
  var isProcess: Bool { get }
  /// Runs the daemon for a moment, if the test drives it.
  func iteration() throws
}

/// The place where a test of the wire runs: both must produce equal bytes.
enum HostKind: String, CaseIterable, CustomTestStringConvertible {
  case inProcess = "in process"
  case program = "the program"

  /// Both, but under a sanitizer, which multiplies processor time, the first, which runs the same code.
  static let allCases: [HostKind] = BuiltProgram.isSanitized ? [.inProcess] : [.inProcess, .program]

  var testDescription: String { rawValue }

  /// Starts a daemon with graphs and a `server` section, both in YAML.
  func start(_ graphs: String, server: String = "{}") throws -> TestDaemon {
    let folder = TemporaryFolder()
    let configuration = try folder.writeConfiguration(graphs, server: server)
    let host: any Host =
      switch self {
      case .inProcess: try LoopHost(configuration: configuration, socket: folder("s"))
      case .program: try ProgramHost(configuration: configuration, socket: folder("s"))
      }
    return TestDaemon(host, folder: folder)
  }
}

extension TemporaryFolder {
  /// Writes the configuration and returns its path.
  @discardableResult
  func writeConfiguration(_ graphs: String, server: String = "{}") throws -> String {
    let server = server == "{}" && graphs.contains("durable:") ? "{state: \(self("state"))}" : server
    return try write("signalbox: 1\nserver: \(server)\ngraphs:\n\(graphs.indented)\n", to: "signalbox.yaml")
  }

  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    try Array(text.utf8).withUnsafeBytes { try RegularFile.write($0, to: self(name)) }
    return self(name)
  }
}

extension String {
  fileprivate var indented: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }.joined(separator: "\n")
  }
}
