import Glibc
import Linux

/// A server of HTTP/1.1 whose every byte the test decides on, with a thread for each connection.
final class TestServer: Sendable {
  struct Request: Sendable {
    var method = ""
    var target = ""
    /// The names are in lower case.
    var headers: [String: String] = [:]
    var body: [UInt8] = []

    var text: String { String(decoding: body, as: UTF8.self) }
  }

  struct Counts: Sendable {
    var connections = 0
    var requests: [Request] = []
    var atOnce = 0
    var mostAtOnce = 0
    /// The number of the gates that handlers may pass.
    var opened = 0
    var isClosed = false
  }

  /// A client's connection, to be written to as the test wants.
  struct Connection: Sendable {
    fileprivate let number: Int32

    func write(_ text: String) throws { try Transfer(number).writeAll(text) }
    func write(_ bytes: [UInt8]) throws { try Transfer(number).writeAll(bytes) }

    func answer(_ status: String = "200 OK", _ headers: [String] = [], _ body: String = "") throws {
      let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + headers
      try write(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }

    /// Has the connection closed when the handler has returned.
    func end() throws { if shutdown(number, Int32(SHUT_WR)) == -1 { throw Errno.last("shutdown") } }
  }

  typealias Handler = @Sendable (Request, Connection, TestServer) throws -> Void

  let port: UInt16
  let counts = Monitor(Counts())
  private let listener: TCPListener
  private let handler: Handler

  init(_ handler: @escaping Handler) throws {
    listener = try TCPListener(host: "127.0.0.1", port: 0)
    port = listener.port
    self.handler = handler
    try listener.descriptor.setBlocking(true)
    let number = listener.descriptor.number
    _ = try Thread("test server") { [self] in
      while true {
        let client = accept(number, nil, nil)
        if client == -1 || counts.withLock({ $0.isClosed }) { return }
        counts.withLock { $0.connections += 1 }
        _ = try? Thread("test client") { [self] in
          serve(OwnedDescriptor(owning: client))
        }
      }
    }
  }

  var url: String { "http://127.0.0.1:\(port)" }

  /// Ends its threads.
  func close() {
    counts.withLock { $0.isClosed = true }
    counts.ring()
    shutdown(listener.descriptor.number, Int32(SHUT_RDWR))
  }

  /// Waits, in a handler, until the test has opened so many gates.
  func waitForGate(_ number: Int = 1) {
    _ = counts.wait(until: .now() + .seconds(30)) { $0.opened >= number || $0.isClosed ? true : nil }
  }

  func openGate() {
    counts.withLock { $0.opened += 1 }
    counts.ring()
  }

  var requests: [Request] { counts.withLock { $0.requests } }

  private func serve(_ socket: consuming OwnedDescriptor) {
    let number = socket.number
    var bytes: [UInt8] = []
    while let request = read(number, &bytes) {
      counts.withLock { counts in
        counts.requests.append(request)
        counts.atOnce += 1
        counts.mostAtOnce = max(counts.mostAtOnce, counts.atOnce)
      }
      counts.ring()
      let result = Result { try handler(request, Connection(number: number), self) }
      counts.withLock { $0.atOnce -= 1 }
      if case .failure = result { return }
    }
  }

  private func read(_ number: Int32, _ bytes: inout [UInt8]) -> Request? {
    var end = Self.end(of: bytes)
    while end == nil {
      guard let more = try? Transfer(number).read(upTo: 65536), !more.isEmpty else { return nil }
      bytes += more
      end = Self.end(of: bytes)
    }
    guard let end else { return nil }
    let lines = String(decoding: bytes[..<end], as: UTF8.self).replacing("\r\n", with: "\n").split(separator: "\n")
    bytes.removeFirst(end)
    var request = Request()
    let words = lines.first?.split(separator: " ").map(String.init) ?? []
    guard words.count == 3 else { return nil }
    (request.method, request.target) = (words[0], words[1])
    for line in lines.dropFirst() {
      let name = line.prefix { $0 != ":" }
      request.headers[name.lowercased()] = String(line.dropFirst(name.count + 1).drop { $0 == " " })
    }
    let length = request.headers["content-length"].flatMap { Int($0) } ?? 0
    while bytes.count < length {
      guard let more = try? Transfer(number).read(upTo: 65536), !more.isEmpty else { return nil }
      bytes += more
    }
    request.body = Array(bytes.prefix(length))
    bytes.removeFirst(length)
    return request
  }

  private static func end(of bytes: [UInt8]) -> Int? {
    guard bytes.count >= 4 else { return nil }
    return (3..<bytes.count).first { bytes[($0 - 3)...$0].elementsEqual([13, 10, 13, 10]) }.map { $0 + 1 }
  }
}
