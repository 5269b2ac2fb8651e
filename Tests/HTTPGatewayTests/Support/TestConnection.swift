import Glibc
import Linux

/// An answer as received.
struct Answer {
  let status: Int
  let headers: [String: String]
  let body: String

  /// The code of a problem, if it is one.
  var code: String? {
    guard headers["content-type"] == "application/problem+json", let start = body.firstRange(of: "\"code\":\"") else {
      return nil
    }
    return String(body[start.upperBound...].prefix { $0 != "\"" })
  }
}

/// A connection with bytewise control of the requests.
final class TestConnection {
  private let socket: OwnedDescriptor
  private var bytes: [UInt8] = []

  /// The reaction of a server that should have answered.
  enum Failure: Error {
    case noAnswer, ended(String)
  }

  init(port: UInt16) throws {
    let number = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    socket = OwnedDescriptor(owning: number)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if result == -1 { throw Errno.last("connect") }
  }

  init(socket path: String) throws { socket = try UnixSocket.connect(path: path) }

  func send(_ text: String) throws { try socket.transfer.writeAll(text) }

  func send(_ bytes: [UInt8]) throws { try socket.transfer.writeAll(bytes) }

  /// Sends a request, and reads the answer.
  func ask(
    _ method: String, _ target: String, token: String? = nil, _ headers: [String: String] = [:], body: String? = nil
  ) throws -> Answer {
    try request(method, target, token: token, headers, body: body)
    return try answer(to: method)
  }

  func request(
    _ method: String, _ target: String, token: String? = nil, _ headers: [String: String] = [:], body: String? = nil
  ) throws {
    var fields = headers
    if let token { fields["Authorization"] = "Bearer \(token)" }
    if fields["Host"] == nil { fields["Host"] = "localhost" }
    if let body { fields["Content-Length"] = "\(body.utf8.count)" }
    let head = fields.map { "\($0.key): \($0.value)\r\n" }.joined()
    try send("\(method) \(target) HTTP/1.1\r\n\(head)\r\n\(body ?? "")")
  }

  /// Reads one answer with a body of a known length.
  func answer(to method: String = "GET") throws -> Answer {
    let (status, headers) = try head()
    let hasBody = method != "HEAD" && status != 304 && status != 204
    let count = hasBody ? headers["content-length"].flatMap { Int($0) } ?? 0 : 0
    while bytes.count < count { try readMore() }
    let body = String(decoding: bytes.prefix(count), as: UTF8.self)
    bytes.removeFirst(count)
    return Answer(status: status, headers: headers, body: body)
  }

  /// Reads the head of an answer: its status and its headers.
  func head() throws -> (status: Int, headers: [String: String]) {
    let lines = try text(upTo: "\r\n\r\n").split(separator: "\r\n")
    let status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    let headers = lines.dropFirst().map { line in
      let name = line.prefix { $0 != ":" }
      return (name.lowercased(), String(line.dropFirst(name.count + 1).drop { $0 == " " }))
    }
    return (status, Dictionary(headers) { first, _ in first })
  }

  /// Reads one chunk of a chunked body; `nil` at its end.
  func piece() throws -> String? {
    let size = Int(try text(upTo: "\r\n").prefix { $0.isHexDigit }, radix: 16) ?? 0
    while bytes.count < size + 2 { try readMore() }
    defer { bytes.removeFirst(size + 2) }
    return size == 0 ? nil : String(decoding: bytes.prefix(size), as: UTF8.self)
  }

  /// Returns true if the server closes within five seconds.
  func isClosed() -> Bool {
    do { while true { try readMore() } } catch Failure.ended { return true } catch { return false }
  }

  /// Shuts down the writing side.
  func finish() { shutdown(socket.number, Int32(SHUT_WR)) }

  /// Shuts down both sides, like a program that has ended.
  func close() { shutdown(socket.number, Int32(SHUT_RDWR)) }

  private func text(upTo end: String) throws -> String {
    let end = Array(end.utf8)
    while true {
      if let range = bytes.firstRange(of: end) {
        defer { bytes.removeFirst(range.upperBound) }
        return String(decoding: bytes[..<range.upperBound], as: UTF8.self)
      }
      try readMore()
    }
  }

  /// Far longer than any answer takes: it expires only without one.
  private static let patience = Duration.seconds(30)

  private func readMore() throws {
    if try socket.transfer.wait(for: .readable, timeout: Self.patience).isEmpty { throw Failure.noAnswer }
    guard let more = try socket.transfer.read(upTo: 65536), !more.isEmpty else {
      throw Failure.ended(String(decoding: bytes, as: UTF8.self))
    }
    bytes += more
  }
}
