import Linux
import TestSupport
import Testing

/// A daemon that a test talks to: one in this process, or the real program.
protocol Host: AnyObject {
  var socket: String { get }
  /// Whether it is a process that goes on by itself.
  var isProcess: Bool { get }
  /// Lets the daemon go on for a moment, as far as it is the test that drives it.
  func turn() throws
}

/// Where a test of the wire runs: the same bytes must come from both.
enum HostKind: String, CaseIterable, CustomTestStringConvertible {
  case inProcess = "in process"
  case program = "the program"

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
  /// Writes the configuration and gives its path.
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
