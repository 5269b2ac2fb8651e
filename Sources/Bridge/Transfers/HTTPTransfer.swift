internal import CCurl
internal import Linux

/// A request on its way, and its answer as far as it has come.
///
/// A redirection to the same origin is followed within it, and one to another origin ends it.
final class HTTPTransfer {
  /// The continuation after bytes of a stream.
  enum Flow: Sendable {
    case next
    /// Stop here, and deliver these bytes again after `resume`.
    case pause
    /// End the transfer.
    case stop
  }

  /// The head of the answer; of several, that of the last one.
  private(set) var head: TransferHead?
  /// The body of the answer, unless it is a stream.
  private(set) var body: [UInt8] = []
  /// The version of HTTP that was spoken, such as `2`; `nil` before an answer.
  private(set) var version: String?
  /// True once a connection was established.
  private(set) var wasConnected = false
  /// Called once with the head of a stream.
  var opened: (TransferHead) -> Flow = { _ in .next }
  /// Called with each part of a stream.
  var received: (Span<UInt8>) -> Flow = { _ in .next }
  /// Called once at the end, outside of the library, unless the transfer was cancelled.
  var ended: (TransferFailure?) -> Void = { _ in }

  private var request: TransferRequest
  private let deadline: MonotonicInstant?
  private var redirections = 0
  private var headBytes = 0
  private var isHeadRead = false
  private var refusal: TransferFailure?
  let easyHandle: EasyHandle
  private weak var pool: HTTPTransferPool?

  private static let mostRedirections = 5
  private static let mostHeadBytes = 64 << 10
  /// The speed below which an answer that has begun is given up: bytes a second, and for how many seconds.
  private static let slowest = (bytes: 16, seconds: 30)

  init(_ request: TransferRequest, _ easy: EasyHandle, _ pool: HTTPTransferPool) {
    self.request = request
    easyHandle = easy
    self.pool = pool
    deadline = request.timeout.map { .now() + $0 }
  }

  /// Ends the transfer without a further call, and closes its connection.
  func cancel() { pool?.cancel(self) }

  /// Delivers the bytes at which a stream paused, and those after them.
  func resume() { pool?.resume(self) }

  // MARK: For the pool

  var pointer: UnsafeMutableRawPointer { easyHandle.pointer }

  /// Sets all options of the handle for the request as it is now.
  func prepare(_ settings: TransferSettings) {
    easyHandle.set(settings)
    easyHandle.set(request, left: deadline.map { $0 - .now() })
    easyHandle.receive(into: self)
  }

  /// Takes the result of the library; returns `true` to be started once more.
  func finish(_ result: CURLcode) -> Bool {
    wasConnected = ccurl_was_connected(easyHandle.pointer) != 0
    version = ccurl_http_version(easyHandle.pointer) == Int(CURL_HTTP_VERSION_2_0) ? "2" : "1.1"
    if refusal == nil, result != CURLE_OK, !(result == CURLE_PARTIAL_FILE && request.isStream) {
      refusal = easyHandle.failure(result)
    }
    guard refusal == nil, let head, let next = redirection(of: head) else { return false }
    guard redirections < Self.mostRedirections else {
      refusal = TransferFailure(.redirection, "more than \(Self.mostRedirections) redirections")
      refusal?.status = head.status
      return false
    }
    redirections += 1
    if next.isRepeated {
      request.url = next.url
    } else {
      (request.url, request.method, request.body) = (next.url, request.method == "HEAD" ? "HEAD" : "GET", nil)
      request.headers.removeAll { $0.name.lowercased() == "content-type" }
    }
    return true
  }

  /// Delivers the end.
  func end() {
    let ended = ended
    release()
    ended(refusal)
  }

  /// Drops the callbacks, and all that they hold.
  func release() {
    (opened, received, ended) = ({ _ in .next }, { _ in .next }, { _ in })
  }

  private func redirection(of head: TransferHead) -> (url: String, isRepeated: Bool)? {
    guard [301, 302, 303, 307, 308].contains(head.status), let text = ccurl_redirection(easyHandle.pointer) else {
      return nil
    }
    let url = String(cString: text)
    let target = HTTPOrigin.address(of: url)
    guard let target, target.origin == HTTPOrigin.address(of: request.url)?.origin, target.user == nil else {
      refusal = TransferFailure(
        .redirection, "it redirects to \(target.map { "\($0.origin)" } ?? "no address of HTTP"), which is not followed")
      refusal?.status = head.status
      return nil
    }
    // A moved address gets the request itself. The others may say where to look after a POST that has been carried out.
    let isRepeated = [301, 307, 308].contains(head.status) || head.status == 302 && request.method != "POST"
    return (url, isRepeated)
  }

  // MARK: From the library

  /// Takes a line of the head.
  func receiveHead(_ line: UnsafeBufferPointer<UInt8>) -> Int {
    headBytes += line.count
    guard headBytes <= Self.mostHeadBytes else { return refuse(.tooLarge, "the head is longer than 64 KiB") }
    let bytes = line.trimmed
    if bytes.starts(with: "HTTP/".utf8) {
      (head, body, isHeadRead) = (TransferHead(), [], false)
      head?.status = Int(String(decoding: bytes.split(separator: 0x20).dropFirst().first ?? [], as: UTF8.self)) ?? 0
    } else if isHeadRead {
      return line.count  // a trailer
    } else if bytes.isEmpty {
      return readHead() ? line.count : 0
    } else if let colon = bytes.firstIndex(of: UInt8(ascii: ":")) {
      let name = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
      let value = UnsafeBufferPointer(rebasing: bytes[(colon + 1)...]).trimmed
      head?.headers.append(.init(name: name, value: String(decoding: value, as: UTF8.self)))
    }
    return line.count
  }

  /// Begins the body, unless it is that of an interim answer or of a redirection.
  private func readHead() -> Bool {
    guard let head, head.status >= 200 else { return true }
    isHeadRead = true
    let isRedirection = 300..<400 ~= head.status && head.header("location") != nil
    if request.isStream && !isRedirection {
      easyHandle.allowSlowness()
      return opened(head) != .stop || refuse(.stopped, "stopped") != 0
    }
    easyHandle.limitSlowness(Self.slowest)
    return true
  }

  /// Takes a part of the body.
  func receiveBody(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    if let head, 300..<400 ~= head.status { return bytes.count }
    guard request.isStream else {
      guard body.count + bytes.count <= request.limit else {
        return refuse(.tooLarge, "the answer is longer than \(request.limit) bytes")
      }
      body.append(contentsOf: bytes)
      return bytes.count
    }
    switch received(bytes.span) {
    case .next: return bytes.count
    case .pause: return ccurl_write_pause()
    case .stop: return refuse(.stopped, "stopped")
    }
  }

  private func refuse(_ kind: TransferFailure.Kind, _ message: String) -> Int {
    refusal = TransferFailure(kind, message)
    return 0
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The bytes without blanks and ends of lines around them.
  fileprivate var trimmed: Slice<Self> {
    var (start, end) = (0, count)
    while start < end, self[start].isBlank { start += 1 }
    while end > start, self[end - 1].isBlank { end -= 1 }
    return self[start..<end]
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0D || self == 0x0A }
}
