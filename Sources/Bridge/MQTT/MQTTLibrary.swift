internal import CMosquitto
internal import Glibc

/// The results of libmosquitto in words.
enum MQTTLibrary {
  /// Initializes the library once.
  static func load() { _ = isLoaded }

  private static let isLoaded = mosquitto_lib_init() == 0

  /// Returns the words for the result of a call.
  ///
  /// - Parameter number: The error of the system, where the result refers to it.
  static func text(of result: Int32, _ number: Int32) -> String {
    switch result {
    case Int32(MOSQ_ERR_ERRNO.rawValue): text(strerror(number))
    case Int32(MOSQ_ERR_EAI.rawValue): "the name of the host cannot be resolved"
    case Int32(MOSQ_ERR_CONN_LOST.rawValue): "the broker has closed the connection"
    case Int32(MOSQ_ERR_KEEPALIVE.rawValue): "the broker has not answered in time"
    case Int32(MOSQ_ERR_TLS.rawValue), Int32(MOSQ_ERR_TLS_HANDSHAKE.rawValue): "TLS failed: \(tlsAdvice)"
    default: text(mosquitto_strerror(result)).withoutStop
    }
  }

  private static let tlsAdvice =
    "the certificate, its authority or its name is not accepted, or the broker does not speak TLS at this port (mqtt://)"

  /// Returns the words for the code in an answer of the broker.
  static func text(ofReason reason: Int32, isVersion5: Bool) -> String {
    text(isVersion5 ? mosquitto_reason_string(reason) : mosquitto_connack_string(reason)).withoutStop
  }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
    pointer.map { String(cString: $0) } ?? "unknown"
  }
}

extension String {
  fileprivate var withoutStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
