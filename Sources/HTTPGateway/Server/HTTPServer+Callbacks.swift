internal import CMicroHTTPD
internal import Glibc

// The callbacks of the library. The server is their first argument; the library retains the exchange of a request from
// the first call until `completeRequest`.

/// Called with the head of a request, then with each part of its body, then at its end, and again after a resumption.
func handleRequest(
  _ owner: UnsafeMutableRawPointer?, _ handle: OpaquePointer?, _ path: UnsafePointer<CChar>?,
  _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ data: UnsafePointer<CChar>?,
  _ count: UnsafeMutablePointer<Int>?, _ kept: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let owner, let handle, let path, let method, let count, let kept,
    let connection = cmicrohttpd_kept(handle)
  else { return .NO }
  let server = Unmanaged<HTTPServer>.fromOpaque(owner).takeUnretainedValue()
  guard let known = kept.pointee else {
    let connection = Unmanaged<HTTPConnection>.fromOpaque(connection).takeUnretainedValue()
    var request = HTTPRequest(
      method: String(cString: method), path: String(cString: path), query: fields(of: handle, .GET_ARGUMENT_KIND),
      headers: fields(of: handle, .HEADER_KIND))
    request.hasNUL = connection.takeNUL()
    request.resolveAbsoluteForm()
    connection.beginBody()
    let exchange = HTTPExchange(request, connection)
    kept.pointee = Unmanaged.passRetained(exchange).toOpaque()
    return server.begin(exchange)
  }
  let exchange = Unmanaged<HTTPExchange>.fromOpaque(known).takeUnretainedValue()
  if count.pointee > 0 {
    server.receive(UnsafeRawBufferPointer(start: data, count: count.pointee), for: exchange)
    count.pointee = 0
    return .YES
  }
  return server.advance(exchange)
}

/// Called before the head of a request is complete, to decode the percent-escapes in its path, and in each name and
/// value of its query, in place.
///
/// The library passes the path as a C string, which a decoded NUL would cut.
func decodeEscapes(
  _ owner: UnsafeMutableRawPointer?, _ handle: OpaquePointer?, _ text: UnsafeMutablePointer<CChar>?
) -> Int {
  guard let text else { return 0 }
  let count = MHD_http_unescape(text)
  if strlen(text) < count, let handle, let connection = cmicrohttpd_kept(handle) {
    Unmanaged<HTTPConnection>.fromOpaque(connection).takeUnretainedValue().noteNUL()
  }
  return count
}

/// Called when a response has been sent, or never will be.
func completeRequest(
  _ owner: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ kept: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ reason: MHD_RequestTerminationCode
) {
  guard let known = kept?.pointee else { return }
  kept?.pointee = nil
  let exchange = Unmanaged<HTTPExchange>.fromOpaque(known).takeRetainedValue()
  exchange.close()
  exchange.connection.awaitRequest()
}

/// Called when a client has connected, and before its socket is closed.
func noticeConnection(
  _ owner: UnsafeMutableRawPointer?, _ handle: OpaquePointer?, _ kept: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _ notice: MHD_ConnectionNotificationCode
) {
  guard let owner, let handle, let kept else { return }
  if cmicrohttpd_begins(notice) != 0 {
    let server = Unmanaged<HTTPServer>.fromOpaque(owner).takeUnretainedValue()
    kept.pointee = Unmanaged.passRetained(HTTPConnection(handle, server)).toOpaque()
  } else if let known = kept.pointee {
    kept.pointee = nil
    Unmanaged<HTTPConnection>.fromOpaque(known).takeRetainedValue().close()
  }
}

extension HTTPServer {
  /// Refuses at once a body that announces an excessive length or has an ambiguous end.
  fileprivate func begin(_ exchange: HTTPExchange) -> MHD_Result {
    exchange.hasUnclearEnd = exchange.request.hasUnclearEnd
    if exchange.hasUnclearEnd { return dispatch(exchange) }
    let length = exchange.request.header("Content-Length").flatMap { UInt64($0) } ?? 0
    exchange.bodyLimit = length > 0 || exchange.request.isChunked ? longestBody(exchange.request) : limits.bodyBytes
    if length > UInt64(exchange.bodyLimit) {
      exchange.isTooLong = true
      return dispatch(exchange)
    }
    exchange.isCrowdedOut = !exchange.reserve(Int(length) - limits.bodyBytes, in: pool)
    return exchange.isCrowdedOut ? dispatch(exchange) : .YES
  }

  fileprivate func receive(_ bytes: UnsafeRawBufferPointer, for exchange: HTTPExchange) {
    exchange.connection.receivedBody(bytes.count)
    if exchange.isTooLong || exchange.isCrowdedOut { return }
    let count = exchange.request.body.count + bytes.count
    exchange.isTooLong = count > exchange.bodyLimit
    exchange.isCrowdedOut = !exchange.isTooLong && !exchange.reserve(count - limits.bodyBytes, in: pool)
    if exchange.isTooLong || exchange.isCrowdedOut {
      exchange.request.body = []
    } else {
      exchange.request.body += bytes
    }
  }

  fileprivate func advance(_ exchange: HTTPExchange) -> MHD_Result {
    switch exchange.phase {
    case .receiving: return dispatch(exchange)
    case .waiting:
      if isStopping || exchange.endsWithClient && exchange.connection.hasShutDown { return .NO }
      // The library notices the end of the request only after this call, and not for a suspended connection: it would
      // read the end of the client's side before the response, and close. So it is called once more before the
      // suspension.
      if exchange.isRead { exchange.connection.suspend() } else { exchange.isRead = true }
      return .YES
    case .answered(let answer): return hand(over: answer, exchange.connection.handle)
    case .over: return .NO
    }
  }

  private func dispatch(_ exchange: HTTPExchange) -> MHD_Result {
    exchange.phase = .waiting
    exchange.connection.endRequest()
    handler(exchange)
    return advance(exchange)
  }

  private func hand(over answer: HTTPAnswer, _ connection: OpaquePointer) -> MHD_Result {
    let head: HTTPResponse
    let response: OpaquePointer?
    switch answer {
    case .whole(let whole):
      head = whole
      response = whole.body.withUnsafeBytes { bytes in
        MHD_create_response_from_buffer(
          bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
      }
    case .stream(let start, let stream):
      head = start
      response = MHD_create_response_from_callback(
        cmicrohttpd_unknown_size(), 1024, readStream, Unmanaged.passRetained(stream).toOpaque(), releaseStream)
    }
    guard let response else { return .NO }
    defer { MHD_destroy_response(response) }
    for (name, value) in head.headers { MHD_add_response_header(response, name, value) }
    return MHD_queue_response(connection, UInt32(head.status), response)
  }
}

private func readStream(
  _ stream: UnsafeMutableRawPointer?, _ position: UInt64, _ buffer: UnsafeMutablePointer<CChar>?, _ room: Int
) -> Int {
  guard let stream, let buffer else { return cmicrohttpd_end_with_error() }
  return Unmanaged<HTTPBodyStream>.fromOpaque(stream).takeUnretainedValue().read(into: buffer, room)
}

private func releaseStream(_ stream: UnsafeMutableRawPointer?) {
  guard let stream else { return }
  Unmanaged<HTTPBodyStream>.fromOpaque(stream).takeRetainedValue().close()
}

/// Returns the headers or the parameters of a request.
private func fields(of connection: OpaquePointer, _ kind: MHD_ValueKind) -> [HTTPRequest.Field] {
  var fields: [HTTPRequest.Field] = []
  withUnsafeMutablePointer(to: &fields) { fields in
    _ = MHD_get_connection_values_n(
      connection, kind,
      { target, _, key, keySize, value, valueSize in
        guard let target, let key else { return .YES }
        let field = (text(key, keySize), value.map { text($0, valueSize) } ?? "")
        target.assumingMemoryBound(to: [HTTPRequest.Field].self).pointee.append(field)
        return .YES
      }, fields)
  }
  return fields
}

private func text(_ start: UnsafePointer<CChar>, _ count: Int) -> String {
  String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
}
