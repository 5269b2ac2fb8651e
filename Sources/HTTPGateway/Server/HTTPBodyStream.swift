internal import CMicroHTTPD
internal import Glibc

/// A streamed body, with the bytes that its client has not read yet.
final class HTTPBodyStream {
  /// Called when the client has read enough for there to be space again.
  var drained: () -> Void = {}
  /// Called once when its client has disconnected, or has read the last byte.
  var closed: () -> Void = {}

  private let connection: HTTPConnection
  private var bytes: [UInt8] = []
  private var start = 0
  private var isEnded = false
  private var isClosed = false

  /// The number of waiting bytes above which no more should be written.
  static let comfortableSize = 64 << 10

  init(_ connection: HTTPConnection) { self.connection = connection }

  /// The number of bytes that the client has not read yet.
  var waiting: Int { bytes.count - start }

  var isFull: Bool { waiting > Self.comfortableSize }

  /// Appends bytes, regardless of the number that wait.
  func write(_ more: [UInt8]) {
    if isClosed || isEnded || more.isEmpty { return }
    bytes += more
    connection.resume()
  }

  func write(_ text: String) { write(Array(text.utf8)) }

  /// Ends the body after the waiting bytes.
  func end() {
    if isClosed || isEnded { return }
    isEnded = true
    connection.resume()
  }

  /// Copies bytes for the library.
  func read(into buffer: UnsafeMutablePointer<CChar>, _ room: Int) -> Int {
    if connection.isOver { return cmicrohttpd_end_with_error() }
    let count = min(room, waiting)
    if count == 0 {
      if isEnded { return cmicrohttpd_end_of_stream() }
      connection.suspend()
      return 0
    }
    bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      memcpy(buffer, base + start, count)
    }
    let wasFull = isFull
    start += count
    // Bytes that have been read are removed once they are more than half of the buffer.
    if start == bytes.count {
      bytes = []
      start = 0
    } else if start > bytes.count / 2 {
      bytes.removeFirst(start)
      start = 0
    }
    if wasFull && !isFull { drained() }
    return count
  }

  func close() {
    if isClosed { return }
    isClosed = true
    bytes = []
    start = 0
    let closed = closed
    drained = {}
    self.closed = {}
    closed()
  }
}
