internal import Glibc
internal import JSON
internal import Linux
internal import WireProtocol

/// A connection with the daemon: lines out, lines in.
final class Connection {
  private let socket: OwnedDescriptor
  private let output: Output
  /// Whether every line that comes is printed as it is.
  private let echoesLines: Bool
  private var splitter = LineSplitter(limit: .max)
  /// Lines that have come and were not asked for yet, the next one last.
  private var lines: [[UInt8]] = []
  private var lastID = 0

  /// - Parameter output: is written before each wait, and watched in case its reader leaves.
  init(path: String, output: Output, echoesLines: Bool) throws(CommandError) {
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
      case ENOENT, ECONNREFUSED: "is signalboxd running? (--socket or $SIGNALBOX_SOCKET for another place)"
      case EACCES, EPERM: "the socket's group may use it"
      default: "--socket or $SIGNALBOX_SOCKET for another place"
      }
    let status: ExitStatus =
      switch error.number {
      case EACCES: .denied
      case EINVAL, ENAMETOOLONG: .usage
      default: .unreachable
      }
    return CommandError(status, "\(path): \(error.reason); \(hint)")
  }

  /// The descriptor, to wait for it among others.
  var descriptor: Int32 { socket.number }

  /// Sends a request with an id, which is returned.
  @discardableResult
  func send(_ request: some WireRequest) throws(CommandError) -> RequestID {
    lastID += 1
    let id = RequestID(lastID)
    try send(request.line(id: id))
    return id
  }

  /// Sends all bytes, and takes incoming lines meanwhile, so that neither side waits for the other.
  func send(_ bytes: [UInt8]) throws(CommandError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let ready = try wait(for: [.readable, .writable], until: nil)
      if ready.contains(.readable) { try receive() }
      guard ready.contains(.writable) else { continue }
      rest = rest.dropFirst(try write(rest))
    }
  }

  private func write(_ bytes: ArraySlice<UInt8>) throws(CommandError) -> Int {
    let result: Result<Int, Errno> = bytes.withUnsafeBytes { bytes in
      do throws(Errno) {
        // Small pieces are taken at once by a socket that is writable.
        let piece = UnsafeRawBufferPointer(rebasing: bytes.prefix(4096))
        guard case .bytes(let count) = try socket.transfer.send(piece) else { return .success(0) }
        return .success(count)
      } catch {
        return .failure(error)
      }
    }
    do { return try result.get() } catch { throw CommandError(.unreachable, "the daemon has gone: \(error.reason)") }
  }

  /// The next line; `nil` when the time is over.
  func next(until deadline: MonotonicInstant? = nil) throws(CommandError) -> ServerLine? {
    while lines.isEmpty {
      guard try wait(for: .readable, until: deadline).contains(.readable) else { return nil }
      try receive()
    }
    return try parse(lines.removeLast())
  }

  /// A line that has come already.
  func nextAtHand() throws(CommandError) -> ServerLine? { lines.isEmpty ? nil : try next() }

  private func parse(_ line: [UInt8]) throws(CommandError) -> ServerLine {
    if echoesLines { output.line(line) }
    do throws(WireError) { return try ServerLine(line.span) } catch {
      throw CommandError(.protocolError, "the daemon's answer makes no sense: \(error.message)")
    }
  }

  /// Reads what is there.
  func receive() throws(CommandError) {
    let chunk: [UInt8]?
    do throws(Errno) { chunk = try socket.transfer.readChunk() } catch {
      throw CommandError(.unreachable, "the daemon has gone: \(error.reason)")
    }
    guard let chunk else { throw CommandError(.unreachable, "the daemon has closed the connection") }
    take(chunk.span)
  }

  private func take(_ chunk: Span<UInt8>) {
    var come: [[UInt8]] = []
    _ = splitter.append(chunk, now: 0) { line in
      if let line = copy line { come.append(line.withUnsafeBufferPointer { Array($0) }) }
      return .next
    }
    lines = come.reversed() + lines
  }

  /// Waits for the socket, and fails when nothing reads the output any more.
  private func wait(for readiness: Readiness, until deadline: MonotonicInstant?) throws(CommandError) -> Readiness {
    try output.flush()
    return try Waiting.wait(for: socket.number, readiness, until: deadline)
  }
}
