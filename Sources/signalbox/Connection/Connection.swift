internal import ClientCore
internal import Glibc
internal import JSON
internal import Linux
internal import WireProtocol

/// A connection to the daemon that sends and receives lines.
final class Connection {
  private let socket: OwnedDescriptor
  private let output: Output
  /// True to print every received line unchanged.
  private let echoesLines: Bool
  private var lines = LineBuffer()
  private var lastID = 0
  /// True once the daemon takes no more bytes; what it has sent before can still be read.
  private var isCutOff = false

  /// - Parameter output: Flushed before each wait, and monitored for its reader's exit.
  init(path: String, output: Output, echoesLines: Bool) throws(CommandError) {
    if let reason = SocketPath.refusal(of: path) { throw .usage(reason) }
    do throws(Errno) {
      socket = try UnixSocket.connect(path: path)
    } catch {
      throw Self.unreachable(path, error)
    }
    self.output = output
    self.echoesLines = echoesLines
  }

  private static func unreachable(_ path: String, _ error: Errno) -> CommandError {
    let hint =
      switch error.number {
      case ENOENT, ECONNREFUSED: "is signalboxd running? (another socket: --socket or $SIGNALBOX_SOCKET)"
      case EACCES, EPERM: "access requires membership in the socket's group"
      default: "another socket: --socket or $SIGNALBOX_SOCKET"
      }
    let status: ExitStatus =
      switch error.number {
      case EACCES: .denied
      case EINVAL, ENAMETOOLONG: .usage
      default: .unreachable
      }
    return CommandError(status, "\(path): \(error.reason); \(hint)")
  }

  /// The descriptor, for polling it with others.
  var descriptor: Int32 { socket.number }

  /// Sends a request with an id, and returns the id.
  @discardableResult
  func send(_ request: some WireRequest) throws(CommandError) -> RequestID {
    lastID += 1
    let id = RequestID(lastID)
    try send(request.line(id: id))
    return id
  }

  /// Sends all bytes and receives lines in the meantime, so that neither side blocks the other.
  ///
  /// A daemon that closes the connection gives its reason before, such as a limit. So bytes that it does not take are no
  /// error while there are lines of it to read.
  func send(_ bytes: [UInt8]) throws(CommandError) {
    var rest = bytes[...]
    while !rest.isEmpty && !isCutOff {
      let ready = try wait(for: [.readable, .writable], until: nil)
      do throws(CommandError) {
        if ready.contains(.readable) { try receive() }
        guard ready.contains(.writable) else { continue }
        rest = rest.dropFirst(try write(rest))
      } catch {
        isCutOff = true
        receiveRest()
        if lines.isEmpty { throw error }
      }
    }
  }

  /// Reads what has arrived, up to the end or an error.
  private func receiveRest() {
    while let chunk = try? socket.transfer.read(upTo: 64 << 10), !chunk.isEmpty { lines.append(chunk) }
  }

  private func write(_ bytes: ArraySlice<UInt8>) throws(CommandError) -> Int {
    let result: Result<Int, Errno> = bytes.withUnsafeBytes { bytes in
      do throws(Errno) {
        // A writable socket accepts small chunks at once.
        let piece = UnsafeRawBufferPointer(rebasing: bytes.prefix(4096))
        guard case .bytes(let count) = try socket.transfer.send(piece) else { return .success(0) }
        return .success(count)
      } catch {
        return .failure(error)
      }
    }
    do { return try result.get() } catch {
      throw CommandError(.unreachable, "lost the connection to the daemon: \(error.reason)")
    }
  }

  /// Returns the next line; `nil` after the deadline.
  func next(until deadline: MonotonicInstant? = nil) throws(CommandError) -> ServerLine? {
    while true {
      if let line = try nextAtHand() { return line }
      guard try wait(for: .readable, until: deadline).contains(.readable) else { return nil }
      try receive()
    }
  }

  /// Returns the next line that has already been received.
  func nextAtHand() throws(CommandError) -> ServerLine? {
    guard let line = lines.next() else { return nil }
    if echoesLines { output.line(Array(line)) }
    do throws(WireError) { return try ServerLine(line.span) } catch {
      throw CommandError(.protocolError, "invalid response from daemon: \(error.message)")
    }
  }

  /// Reads the available bytes.
  func receive() throws(CommandError) {
    let chunk: [UInt8]?
    do throws(Errno) { chunk = try socket.transfer.read(upTo: 64 << 10) } catch {
      throw CommandError(.unreachable, "lost the connection to the daemon: \(error.reason)")
    }
    if chunk?.isEmpty == true { throw CommandError(.unreachable, "the daemon closed the connection") }
    lines.append(chunk ?? [])
  }

  /// Waits for the socket, and fails when the output's reader has closed it.
  private func wait(for readiness: Readiness, until deadline: MonotonicInstant?) throws(CommandError) -> Readiness {
    try output.flush()
    return try Waiting.wait(for: socket.number, readiness, until: deadline)
  }
}
