internal import CCurl
internal import Linux

/// A handle of the library for one transfer at a time, with its options.
final class EasyHandle {
  let pointer: UnsafeMutableRawPointer
  private var headers: UnsafeMutablePointer<curl_slist>?
  private let message: UnsafeMutablePointer<CChar>
  private var settings = TransferSettings()

  init?() {
    guard let pointer = curl_easy_init() else { return nil }
    self.pointer = pointer
    message = .allocate(capacity: ccurl_error_size())
  }

  deinit {
    curl_easy_cleanup(pointer)
    curl_slist_free_all(headers)
    message.deallocate()
  }

  /// Drops all options; connections stay open.
  func reset() {
    curl_easy_reset(pointer)
    curl_slist_free_all(headers)
    headers = nil
  }

  private func set(_ option: CURLoption, _ value: Int) { ccurl_set_number(pointer, option, value) }
  private func set(_ option: CURLoption, _ value: String?) { ccurl_set_text(pointer, option, value) }

  /// Sets what holds for all transfers of a pool.
  func set(_ settings: TransferSettings) {
    self.settings = settings
    // No signals, no environment, no other protocols, no squashing of paths.
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_PATH_AS_IS, 1)
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    set(CURLOPT_TCP_KEEPALIVE, 1)
    set(CURLOPT_PROXY, settings.proxy ?? "")
    set(CURLOPT_NOPROXY, "")
    if let path = settings.unixSocket { set(CURLOPT_UNIX_SOCKET_PATH, path) }
    if let path = settings.authorities { set(CURLOPT_CAINFO, path) }
    if let path = settings.certificate { set(CURLOPT_SSLCERT, path) }
    if let path = settings.key { set(CURLOPT_SSLKEY, path) }
    if let user = settings.user { set(CURLOPT_USERNAME, user) }
    if let password = settings.password { set(CURLOPT_PASSWORD, password) }
  }

  /// Sets what a request needs.
  ///
  /// - Parameter left: The time that is left for it.
  func set(_ request: TransferRequest, left: Duration?) {
    set(CURLOPT_URL, request.url)
    if request.onlyConnects { set(CURLOPT_CONNECT_ONLY, 1) }
    let patience = request.patience.wholeMilliseconds
    set(CURLOPT_CONNECTTIMEOUT_MS, left.map { min($0.wholeMilliseconds, patience) } ?? patience)
    if let left { set(CURLOPT_TIMEOUT_MS, left.wholeMilliseconds) }
    if request.isStream {
      // A connection of its own: the library cannot hold up one of several streams without memory for it.
      set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
      limitSlowness((1, max(1, patience / 1000)))
    } else {
      set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
      // The length in the answer to HEAD is that of a body that does not come.
      if request.method != "HEAD" { ccurl_set_size(pointer, CURLOPT_MAXFILESIZE_LARGE, request.limit) }
    }
    setMethod(request)
    setHeaders(request)
  }

  private func setMethod(_ request: TransferRequest) {
    switch (request.method, request.body) {
    case ("HEAD", nil): set(CURLOPT_NOBODY, 1)
    case ("GET", nil): set(CURLOPT_HTTPGET, 1)
    case (let method, let body):
      if body != nil || ["POST", "PUT", "PATCH"].contains(method) {
        (body ?? []).withUnsafeBytes {
          _ = ccurl_set_body(pointer, $0.baseAddress ?? UnsafeRawPointer(message), $0.count)
        }
      }
      set(CURLOPT_CUSTOMREQUEST, method)
    }
  }

  private func setHeaders(_ request: TransferRequest) {
    // The library would wait a second for leave to send a long body, and name a type where there is none.
    append("Expect:")
    if !request.headers.contains(where: { $0.name.lowercased() == "content-type" }) { append("Content-Type:") }
    for (name, value) in request.headers {
      // A header without a value is written with a semicolon.
      append(value.isEmpty ? "\(name);" : "\(name): \(value)")
    }
    ccurl_set_headers(pointer, headers)
  }

  private func append(_ line: String) { headers = curl_slist_append(headers, line) ?? headers }

  /// Sets the speed below which the library aborts the transfer.
  func limitSlowness(_ least: (bytes: Int, seconds: Int)) {
    set(CURLOPT_LOW_SPEED_LIMIT, least.bytes)
    set(CURLOPT_LOW_SPEED_TIME, least.seconds)
  }

  func allowSlowness() {
    set(CURLOPT_LOW_SPEED_LIMIT, 0)
    set(CURLOPT_LOW_SPEED_TIME, 0)
  }

  /// Delivers the answer to a transfer, which outlives its part in the pool.
  func receive(into transfer: HTTPTransfer) {
    message[0] = 0
    ccurl_set_receiver(
      pointer,
      { bytes, size, count, owner in
        EasyHandle.transfer(owner)?.receiveHead(EasyHandle.buffer(bytes, size * count)) ?? 0
      },
      { bytes, size, count, owner in
        EasyHandle.transfer(owner)?.receiveBody(EasyHandle.buffer(bytes, size * count)) ?? 0
      }, Unmanaged.passUnretained(transfer).toOpaque(), message)
  }

  private static func transfer(_ owner: UnsafeMutableRawPointer?) -> HTTPTransfer? {
    owner.map { Unmanaged<HTTPTransfer>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func buffer(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: UnsafeRawPointer(bytes)?.assumingMemoryBound(to: UInt8.self), count: count)
  }

  /// Returns the failure for a result of the library.
  func failure(_ result: CURLcode) -> TransferFailure {
    let own = message[0] == 0 ? String(cString: curl_easy_strerror(result)) : String(cString: message)
    let text = TransferFailureText(result, own, system: ccurl_system_error(pointer), settings).text
    let kind: TransferFailure.Kind =
      switch result {
      case CURLE_OPERATION_TIMEDOUT: .timeout
      case CURLE_FILESIZE_EXCEEDED: .tooLarge
      case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
        CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_ENGINE_INITFAILED:
        .security
      case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: .request
      default: .connection
      }
    return TransferFailure(kind, text)
  }
}

extension Duration {
  /// Milliseconds of an option of the library, for which 0 would be no limit.
  fileprivate var wholeMilliseconds: Int { Int(max(1, min(milliseconds, 1 << 31 - 1))) }
}
