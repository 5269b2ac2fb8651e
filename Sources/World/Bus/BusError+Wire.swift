package import JSON
package import Linux
package import WireProtocol

extension BusError {
  /// Creates the error for one of the protocol: the code `bad_value` becomes `org.signalbox.Error.BadValue`.
  package init(_ error: WireError) { self.init(code: error.code.rawValue, error.message) }

  package init(code: String, _ message: String) {
    let words = code.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }
    self.init(name: "org.signalbox.Error." + words.joined(), message: message)
  }

  /// Creates the error from the answer that a client would get.
  package init(_ error: JSONObject?) {
    guard case .string(let code)? = error?["code"], case .string(let message)? = error?["message"] else {
      self.init(WireError(.internal, "the answer was lost"))
      return
    }
    self.init(code: code, message)
  }

  /// Creates one of the standard errors of D-Bus.
  package static func common(_ name: String, _ message: String) -> BusError {
    BusError(name: "org.freedesktop.DBus.Error.\(name)", message: message)
  }
}
