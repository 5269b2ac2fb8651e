internal import CMicroHTTPD
internal import Glibc

/// A body that comes piece by piece, with the bytes that its client has yet to take.
package final class HTTPBodyStream {
  /// Called when its client has taken enough for there to be room again.
  package var drained: () -> Void = {}
  /// Called once when its client has gone, or has taken the last byte.
  package var closed: () -> Void = {}

  private let connection: HTTPConnection
  private var bytes: [UInt8] = []
  private var start = 0
  private var isEnded = false
  private var isClosed = false

  /// The bytes that wait above which no more should be written.
  package static let comfortableSize = 64 << 10

  init(_ connection: HTTPConnection) { self.connection = connection }

  /// The number of bytes that the client has yet to take.
  package var waiting: Int { bytes.count - start }

  package var isFull: Bool { waiting > Self.comfortableSize }

  /// Adds bytes, however many wait.
  package func write(_ more: [UInt8]) {
    if isClosed || isEnded || more.isEmpty { return }
    bytes += more
    connection.resume()
  }

  package func write(_ text: String) { write(Array(text.utf8)) }

  /// Ends the body after what waits.
  package func end() {
    if isClosed || isEnded { return }
    isEnded = true
    connection.resume()
  }

  /// Gives bytes to the library.
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
    // What has been taken is let go of once it is most of what is kept.
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
