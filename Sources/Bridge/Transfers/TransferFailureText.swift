internal import CCurl
internal import Linux

/// The words for a failure that the library reports: what is wrong, and where there is a remedy, that.
///
/// The library's own words name its functions, and the time that an attempt took.
struct TransferFailureText {
  let text: String

  /// - Parameters:
  ///   - own: The library's words.
  ///   - system: The error of the system that kept a connection from being made; 0 if there was none.
  init(_ result: CURLcode, _ own: String, system: Int32, _ settings: TransferSettings) {
    text =
      switch result {
      case CURLE_FILESIZE_EXCEEDED: "the answer is longer than the limit of the connection"
      case CURLE_COULDNT_CONNECT: Self.unconnected(own, system)
      case CURLE_PEER_FAILED_VERIFICATION: Self.unverified(Self.withoutFunction(own), settings)
      case CURLE_SSL_CONNECT_ERROR:
        "the TLS handshake failed: \(Self.withoutFunction(own)); a server without TLS has an address with http://"
      case CURLE_SSL_CACERT_BADFILE: "no authorities can be read from the file tls.ca: \(settings.authorities ?? "")"
      case CURLE_SSL_CERTPROBLEM:
        "the files tls.certificate and tls.key cannot be read, or do not belong together: "
          + "\(settings.certificate ?? ""), \(settings.key ?? "")"
      case CURLE_RECV_ERROR, CURLE_SEND_ERROR: "the connection broke: \(Self.withoutFunction(own))"
      case CURLE_GOT_NOTHING: "the server has closed the connection without an answer"
      default: Self.withoutFunction(own)
      }
  }

  /// The beginning of the library's words names the host and the port.
  private static func unconnected(_ own: String, _ system: Int32) -> String {
    guard let range = own.firstRange(of: "Failed to connect to "), let end = own.firstRange(of: " after ") else {
      return own
    }
    let place = own[range.upperBound..<end.lowerBound]
    return "no connection to \(place)\(system == 0 ? "" : ": \(Errno(system, call: "connect").reason)")"
  }

  private static func unverified(_ own: String, _ settings: TransferSettings) -> String {
    if own.contains("verification failed") {
      let authorities = settings.authorities.map { "those in \($0)" } ?? "those of the system"
      return "the server's certificate is not accepted: it was signed by none of the authorities, \(authorities); "
        + "tls: {ca: FILE} names another one"
    }
    if own.contains("does not match") {
      return "\(own); the address of the connection has to use a name in the certificate"
    }
    return "the server's certificate is not accepted: \(own)"
  }

  /// Returns words without the function that reports, such as `gnutls_handshake() failed: `, and without a stop.
  private static func withoutFunction(_ own: String) -> String {
    var text = own[...]
    for mark in ["() failed: ", "() error: ", " failure: ", " error: "] {
      if let range = text.firstRange(of: mark) { text = text[range.upperBound...] }
    }
    if text.hasPrefix("SSL: ") { text = text.dropFirst(5) }
    if let range = text.firstRange(of: "GnuTLS recv error ("), let end = text[range.upperBound...].firstRange(of: "): ")
    {
      text = text[end.upperBound...]
    }
    return String(text.hasSuffix(".") ? text.dropLast() : text)
  }
}
