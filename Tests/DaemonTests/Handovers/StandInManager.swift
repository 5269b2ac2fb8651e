import CDescriptors
import Foundation
import Glibc
import Linux
import TestSupport

/// The service manager as a daemon sees it: it receives notifications, stores descriptors and starts the next process.
final class StandInManager {
  private let folder = TemporaryFolder()
  private let socket: OwnedDescriptor
  private var stored: OwnedDescriptor?

  init() throws {
    let number = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    if number == -1 { throw Errno.last("socket") }
    socket = OwnedDescriptor(owning: number)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = folder("notify")
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if result == -1 { throw Errno.last("bind") }
  }

  /// Starts a process with the stored descriptors.
  ///
  /// - Parameter step: The step at which it dies, if it has that many.
  func start(_ arguments: [String], dyingAt step: Int? = nil) throws -> ChildProcess {
    var environment = ["NOTIFY_SOCKET=\(folder("notify"))"]
    if let step { environment += ["LD_PRELOAD=\(Self.library)", "DEATH_AT=\(step)"] }
    guard stored != nil else { return try ChildProcess(arguments, environment: environment) }
    environment += ["LISTEN_FDS=1", "LISTEN_FDNAMES=signalbox-handover"]
    return try ChildProcess(
      arguments, environment: environment, shell: #"LISTEN_PID=$$ exec "$0" "$@""#, inherit: stored?.number)
  }

  /// Makes a process hand over all its work here.
  func takeOver(from process: ChildProcess) throws {
    process.signal(SIGUSR1)
    while try process.readWhatIsThere() { try serve(waiting: .milliseconds(20)) }
    guard try process.waitForExit() == 0, stored != nil else {
      throw Unexpected("it did not hand over: \(process.output)")
    }
  }

  /// The handover file of the old process.
  var file: [UInt8]? {
    guard let copy = try? stored?.duplicate() else { return nil }
    var file: [UInt8]?
    try? DescriptorCarrier(copy).look { message in
      var descriptors = message.takeDescriptors()
      if let memory = descriptors.take(at: 0) { file = (try? SealedMemory.read(memory.number)) ?? file }
    }
    return file
  }

  /// Stores a handover file for the next process, with these clients.
  func store(_ file: [UInt8], clients: [Int32], listener: Int32) throws {
    let pair = try DescriptorCarrier.make()
    stored = try pair.carrier.reader.duplicate()
    let writer = pair.takeWriter()
    let memory = try SealedMemory.make("handover", file)
    // In a daemon's order: the clients first.
    try writer.send([1], clients)
    try writer.send([2], [memory.number, listener])
  }

  /// - Returns: False if it died.
  func waitForReadiness(of process: ChildProcess) throws -> Bool {
    let deadline = MonotonicInstant.now() + .seconds(20)
    while MonotonicInstant.now() < deadline {
      let isRunning = try process.readWhatIsThere()
      if process.output.contains("\"ready") {
        try serve()
        return true
      }
      if !isRunning {
        guard try process.waitForExit() == -SIGKILL else { throw Unexpected("it ended: \(process.output)") }
        return false
      }
      try serve(waiting: .milliseconds(5))
    }
    throw Unexpected("it is not ready: \(process.output)")
  }

  /// Handles the requests of processes.
  func serve(waiting patience: Duration = .zero) throws {
    _ = try socket.transfer.wait(for: .readable, timeout: patience)
    var bytes = [UInt8](repeating: 0, count: 4096)
    var numbers = [Int32](repeating: -1, count: DescriptorCarrier.most)
    var count = 0
    while case let length = signalbox_receive_descriptors(socket.number, &bytes, bytes.count, &numbers, &count, 0),
      length >= 0
    {
      let message = String(decoding: bytes[..<length], as: UTF8.self)
      if message.contains("FDSTOREREMOVE=1") { stored = nil }
      // Closing the descriptor of a barrier is the answer to it.
      let descriptors = numbers[..<count].map { OwnedDescriptor.Box($0) }
      if message.contains("FDSTORE=1") { stored = descriptors.first?.take() }
    }
  }

  static var canHaveProcessesDie: Bool { !library.isEmpty && !BuiltProgram.isSanitized }

  /// The library that was built beside the tests.
  private static let library: String = {
    let folder = (ChildProcess.path as NSString).deletingLastPathComponent
    let path = "\(folder)/libSuddenDeath.so"
    return FileManager.default.fileExists(atPath: path) ? path : ""
  }()
}

extension OwnedDescriptor {
  /// A box for a list.
  fileprivate final class Box {
    private var descriptor: OwnedDescriptor?

    init(_ number: Int32) { descriptor = OwnedDescriptor(owning: number) }

    func take() -> OwnedDescriptor? { descriptor.take() }
  }
}
