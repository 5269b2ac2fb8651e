import Foundation
import TestSupport

/// The stderr output of a process, read on a thread of its own.
private final class Complaint: Sendable {
  nonisolated(unsafe) private var data = Data()
  private let end = DispatchSemaphore(value: 0)

  init(of handle: FileHandle) {
    let number = handle.fileDescriptor
    Thread.detachNewThread { [self] in
      data = FileHandle(fileDescriptor: number, closeOnDealloc: false).readDataToEndOfFile()
      end.signal()
    }
  }

  func wait() -> Data {
    end.wait()
    return data
  }
}

/// The client as a process.
struct Client {
  struct Result {
    let status: Int32
    let output: String
    let errors: String
  }

  /// Runs the client to its end.
  static func run(
    _ arguments: String..., input: String = "", socket: String? = nil, environment: [String: String] = [:]
  ) throws -> Result {
    try run(arguments, input: input, socket: socket, environment: environment)
  }

  static func run(
    program: String? = nil, _ arguments: [String], input: String = "", socket: String? = nil,
    environment: [String: String] = [:]
  ) throws -> Result {
    BrokenPipes.fail
    let process = Process()
    process.executableURL = program.map { URL(fileURLWithPath: $0) } ?? Self.program
    process.arguments = arguments
    process.environment = ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }
    if let socket { process.environment?["SIGNALBOX_SOCKET"] = socket }
    let (standardInput, output, errors) = (Pipe(), Pipe(), Pipe())
    process.standardInput = standardInput
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    // A client that fails at once does not read it.
    try? standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try standardInput.fileHandleForWriting.close()
    // Both at once: the client blocks when either pipe is full.
    let complaint = Complaint(of: errors.fileHandleForReading)
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let errorText = String(decoding: complaint.wait(), as: UTF8.self)
    process.waitUntilExit()
    return Result(status: process.terminationStatus, output: text, errors: errorText)
  }

  /// The daemon's program, in the same folder.
  static var daemonPath: String { program.deletingLastPathComponent().appending(path: "signalboxd").path }

  static var path: String { program.path }

  /// The program, built in the folder of the tests.
  static var program: URL { BuiltProgram.file(named: "signalbox") }
}
