import Foundation
import Glibc
import Linux
import TestSupport

/// The real program, started on a configuration of its own.
final class ProgramHost: Host {
  let socket: String
  let isProcess = true
  let process: ChildProcess

  init(configuration path: String, socket: String) throws {
    self.socket = socket
    process = try ChildProcess(["--config", path, "--socket", socket])
    try process.waitForOutput(containing: "ready")
  }

  func iteration() throws {}
}

/// A run of signalboxd with its stderr in a pipe.
final class ChildProcess {
  let identifier: pid_t
  private let errors: OwnedDescriptor
  private(set) var output = ""
  private var status: Int32?

  /// - Parameter environment: the program's complete environment.
  init(_ arguments: [String], environment: [String] = [], shell: String? = nil, inherit: Int32? = nil) throws {
    Self.keepInheritedDescriptors
    BrokenPipes.fail
    let (ours, theirs) = try UnixSocket.pair().take()
    errors = OwnedDescriptor(owning: ours)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, theirs, 2)
    if let inherit { posix_spawn_file_actions_adddup2(&actions, inherit, 3) }
    let program = shell == nil ? Self.path : "/bin/sh"
    let words = shell.map { ["sh", "-c", $0, Self.path] } ?? ["signalboxd"]
    let argv = (words + arguments).map { strdup($0) } + [nil]
    let envp = environment.map { strdup($0) } + [nil]
    defer { for string in argv + envp { free(string) } }
    var child: pid_t = 0
    let result = posix_spawn(&child, program, &actions, nil, argv, envp)
    close(theirs)
    guard result == 0 else { throw Errno(result, call: "posix_spawn", subject: program) }
    identifier = child
  }

  deinit {
    if status == nil {
      kill(identifier, SIGKILL)
      waitpid(identifier, nil, 0)
    }
  }

  /// Descriptors inherited by this process are not for the programs that it starts; those it opens never are.
  private static let keepInheritedDescriptors: Void = {
    for number in 3..<Int32(1024) {
      let flags = fcntl(number, F_GETFD)
      if flags != -1 { _ = fcntl(number, F_SETFD, flags | FD_CLOEXEC) }
    }
  }()

  /// The program that was built beside the tests.
  static let path: String = {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let own = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let candidates = [own] + CommandLine.arguments
    for candidate in candidates {
      var folder = candidate[...]
      while let slash = folder.lastIndex(of: "/") {
        folder = folder[..<slash]
        let program = "\(folder)/signalboxd"
        if access(program, X_OK) == 0, !isFolder(program) { return program }
      }
    }
    return "signalboxd"
  }()

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  func signal(_ number: Int32) { kill(identifier, number) }

  /// True once the program holds SIGHUP back, at the very start, until it can be handled.
  var holdsHangUps: Bool {
    let status = (try? RegularFile.read("/proc/\(identifier)/status", limit: 64 << 10)) ?? []
    let blocked = String(decoding: status, as: UTF8.self).firstMatch(of: /SigBlk:\s*([0-9a-f]+)/)
    return (blocked.flatMap { UInt64($0.1, radix: 16) } ?? 0) & 1 << (SIGHUP - 1) != 0
  }

  /// Its resident memory, in bytes.
  var residentBytes: Int? {
    guard let fields = try? RegularFile.read("/proc/\(identifier)/statm", limit: 4096).split(separator: 0x20),
      fields.count > 1, let pages = Int(String(decoding: fields[1], as: UTF8.self))
    else { return nil }
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// The number of its open descriptors.
  var openDescriptors: Int {
    guard let folder = opendir("/proc/\(identifier)/fd") else { return -1 }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    return count
  }

  /// The number of its open descriptors.
  var descriptorCount: Int {
    guard let folder = opendir("/proc/\(identifier)/fd") else { return 0 }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    return count
  }

  /// Returns the number of occurrences of a text on stderr.
  func count(of text: String) -> Int { output.components(separatedBy: text).count - 1 }

  /// Reads stderr until a text has occurred `times` times.
  func waitForOutput(containing text: String, times: Int = 1) throws {
    while count(of: text) < times {
      guard try readOutput() else { throw Unexpected("\"\(text)\" did not come; stderr: \(output)") }
    }
  }

  /// Reads the available bytes of stderr.
  ///
  /// - Returns: True if it has not ended.
  @discardableResult func readWhatIsThere() throws -> Bool {
    while try errors.transfer.wait(for: .readable, timeout: .zero).contains(.readable) {
      if !(try readOutput()) { return false }
    }
    return true
  }

  /// Waits for the end, and returns the exit status.
  func waitForExit() throws -> Int32 {
    while try readOutput() {}
    var status: Int32 = 0
    guard waitpid(identifier, &status, 0) == identifier else { throw Errno.last("waitpid") }
    let code = status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
    self.status = code
    return code
  }

  private func readOutput() throws -> Bool {
    guard !(try errors.transfer.wait(for: .readable, timeout: .seconds(20)).isEmpty) else { return false }
    var bytes = [UInt8](repeating: 0, count: 4096)
    guard case .bytes(let count) = try bytes.withUnsafeMutableBytes({ try errors.transfer.read(into: $0) }) else {
      return false
    }
    output += String(decoding: bytes.prefix(count), as: UTF8.self)
    return true
  }
}
