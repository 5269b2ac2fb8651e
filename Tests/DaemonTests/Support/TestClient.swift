import Glibc
import Linux
import Testing

/// A client that writes and reads lines in wire format.
final class TestClient {
  private let daemon: TestDaemon
  private let socket: OwnedDescriptor
  private var received: [UInt8] = []
  /// The part already returned as lines.
  private var taken = 0
  private(set) var hasEnded = false
  /// The epoch of the last answer to a `subscribe`: it differs between runs, and so is removed from the line.
  private(set) var epoch: String?

  init(_ daemon: TestDaemon) throws {
    self.daemon = daemon
    socket = try UnixSocket.connect(path: daemon.host.socket)
    try socket.setBlocking(false)
  }

  // MARK: Writing

  /// Writes lines, each with its end.
  func say(_ lines: String...) throws { try write(lines.map { $0 + "\n" }.joined()) }

  /// Sends values, a hundred a line.
  func send(_ numbers: Range<Int>, to signal: String, _ value: (Int) -> String = { "\($0)" }) throws {
    for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: 100) {
      let values = (start..<min(start + 100, numbers.upperBound)).map(value).joined(separator: ",")
      try say(#"{"op":"send","signal":"\#(signal)","values":[\#(values)]}"#)
    }
  }

  /// Writes raw bytes, and lets the daemon read while the socket is full.
  func write(_ text: String) throws { try write(Array(text.utf8)) }

  func write(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    try daemon.iteration {
      guard !rest.isEmpty else { return true }
      switch try rest.withUnsafeBytes({ try socket.transfer.send($0) }) {
      case .bytes(let count): rest = rest.dropFirst(count)
      case .wouldBlock: try wait(for: .writable)
      }
      return rest.isEmpty
    }
  }

  /// Writes what the daemon accepts, and returns the part not accepted for a while.
  func offer(_ text: String, patience: Int = 20) throws -> String {
    var rest = Array(text.utf8)[...]
    var patience = patience
    while patience > 0 && !rest.isEmpty {
      switch try rest.withUnsafeBytes({ try socket.transfer.send($0) }) {
      case .bytes(let count): rest = rest.dropFirst(count)
      case .wouldBlock:
        patience -= 1
        try daemon.host.iteration()
        if daemon.host.isProcess { _ = try socket.transfer.wait(for: .writable, timeout: .milliseconds(10)) }
      }
    }
    return String(decoding: rest, as: UTF8.self)
  }

  /// Shuts down the writing side.
  func finish() throws { try UnixSocket.shutDownWriting(socket) }

  /// Shuts down the reading side.
  func closeReading() throws {
    if shutdown(socket.number, Int32(SHUT_RD)) == -1 { throw Errno.last("shutdown") }
  }

  // MARK: Reading

  /// Returns the next line, without its terminator.
  func line() throws -> String {
    var line: String?
    try daemon.iteration {
      line = takeLine()
      if line == nil { try read() }
      if line == nil && hasEnded && endOfLine == nil { throw Unexpected("the connection has ended") }
      return line != nil
    }
    return line ?? ""
  }

  func lines(_ count: Int) throws -> [String] { try (0..<count).map { _ in try line() } }

  /// Returns all lines up to one, without it.
  func lines(upTo last: String) throws -> [String] {
    var lines: [String] = []
    while true {
      let line = try line()
      if line == last { return lines }
      lines.append(line)
    }
  }

  /// Expects exactly these lines next.
  func expect(_ expected: String..., sourceLocation: SourceLocation = #_sourceLocation) throws {
    for line in expected { #expect(try self.line() == line, sourceLocation: sourceLocation) }
  }

  /// Expects no output so far: a ping is answered next.
  func expectNothing(sourceLocation: SourceLocation = #_sourceLocation) throws {
    try say(#"{"op":"ping"}"#)
    try expect(#"{"reply":"ping"}"#, sourceLocation: sourceLocation)
  }

  /// Expects these lines and then nothing.
  func expectNothing(after expected: String..., sourceLocation: SourceLocation = #_sourceLocation) throws {
    for line in expected { #expect(try self.line() == line, sourceLocation: sourceLocation) }
    try expectNothing(sourceLocation: sourceLocation)
  }

  /// Expects the daemon to close the connection, without output before.
  func expectEnd(sourceLocation: SourceLocation = #_sourceLocation) throws {
    try daemon.iteration {
      try read()
      return hasEnded
    }
    #expect(String(decoding: received[taken...], as: UTF8.self) == "", sourceLocation: sourceLocation)
  }

  /// Sends a request and returns the answer.
  func ask(_ request: String) throws -> String {
    try say(request)
    return try line()
  }

  /// Polls the daemon's counts until there are `count` connections.
  func wait(forConnections count: Int) throws {
    try daemon.iteration { try ask("stats").contains(#""connections":\#(count),"#) }
  }

  private func takeLine() -> String? {
    guard let end = endOfLine else {
      received.removeFirst(taken)
      taken = 0
      return nil
    }
    defer { taken = end + 1 }
    return withoutEpoch(String(decoding: received[taken..<end], as: UTF8.self))
  }

  private func withoutEpoch(_ line: String) -> String {
    guard line.hasPrefix(#"{"reply":"subscribe""#), let place = line.firstRange(of: #"],"epoch":""#) else {
      return line
    }
    epoch = String(line[place.upperBound...].dropLast(2))
    return line[..<place.lowerBound] + "]}"
  }

  /// The end of the next line; found by the C library, since a debug build is slow per byte.
  private var endOfLine: Int? {
    received.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, let end = memchr(start + taken, 0x0a, bytes.count - taken) else {
        return nil
      }
      return UnsafeRawPointer(end) - start
    }
  }

  private func read() throws {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    switch try? bytes.withUnsafeMutableBytes({ try socket.transfer.read(into: $0) }) {
    case .bytes(let count): received += bytes.prefix(count)
    case .end, nil: hasEnded = true
    case .wouldBlock: try wait(for: .readable)
    }
  }

  /// Waits for a daemon in a process of its own.
  private func wait(for readiness: Readiness) throws {
    if daemon.host.isProcess { _ = try socket.transfer.wait(for: readiness, timeout: .seconds(1)) }
  }
}
