import JSON
import Linux
import WireProtocol

extension BusError {
  /// An error of the protocol, whose code `bad_value` has the name `org.signalbox.Error.BadValue`.
  init(_ error: WireError) { self.init(code: error.code.rawValue, error.message) }

  init(code: String, _ message: String) {
    let words = code.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }
    self.init(name: "org.signalbox.Error." + words.joined(), message: message)
  }

  /// The error of an answer that a client would be given.
  init(_ error: JSONObject?) {
    guard case .string(let code)? = error?["code"], case .string(let message)? = error?["message"] else {
      self.init(WireError(.internal, "the answer is lost"))
      return
    }
    self.init(code: code, message)
  }

  /// An error that D-Bus itself has.
  static func common(_ name: String, _ message: String) -> BusError {
    BusError(name: "org.freedesktop.DBus.Error.\(name)", message: message)
  }
}
