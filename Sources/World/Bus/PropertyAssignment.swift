import GraphModel
import JSON
import Linux

/// An assignment to a property.
///
/// Its type is requested first: from its current value or, where that cannot be read, from the object's introspection
/// data.
struct PropertyAssignment {
  private static let properties = "org.freedesktop.DBus.Properties"

  let property: BusProperty
  let value: JSONValue

  private var object: BusObject { property.object }

  /// Sets the property as soon as its type is known.
  func begin(_ call: MethodCall) {
    if let type = property.signature.flatMap(BusType.types) { return set(as: type[0], call) }
    call.make(
      { (connection) throws(BusCall.Failure) in
        try BusCall.message("Get", of: Self.properties, at: object.path, object.name, on: connection) {
          (message) throws(BusValueError) in
          try message.append(strings: property.interface, property.name)
        }
      },
      refused: { call, error in
        if error.isPassing { call.fail(SignalFailure(error)) } else { askForType(call, unreadable: "\(error)") }
      }
    ) { call, answer in
      do throws(BusValueError) {
        set(as: try answer.typeOfVariant(), call)
      } catch {
        askForType(call, unreadable: "invalid value from the service: \(error)")
      }
    }
  }

  /// Requests the object's introspection data.
  ///
  /// - Parameter reason: The reason that the property cannot be read.
  private func askForType(_ call: MethodCall, unreadable reason: String) {
    func fail(_ call: MethodCall, _ answer: String) {
      let advice = "set its type with “signature”"
      call.fail(
        SignalFailure(
          code: "bus", message: "cannot set \(property.name), its type is unknown: \(reason); \(answer): \(advice)"
        ))
    }
    call.make(
      { (connection) throws(BusCall.Failure) in
        try BusCall.message("Introspect", of: Introspection.interface, at: object.path, object.name, on: connection)
      }, refused: { call, error in fail(call, "the object has no introspection data (\(error))") }
    ) { call, answer in
      guard let text = try? answer.string(), let interface = Introspection(text).interface(property.interface),
        let described = interface.properties.first(where: { $0.name == property.name }),
        let types = BusType.types(of: described.signature), types.count == 1
      else { return fail(call, "no such property in the introspection data") }
      set(as: types[0], call)
    }
  }

  private func set(as type: BusType, _ call: MethodCall) {
    let value: BusValue
    do throws(TypeMismatch) {
      value = .variant(type, try BusValue(self.value, as: type, bytes: .text))
    } catch {
      return call.fail(SignalFailure(noValue: "\(property.name)\(error)"))
    }
    call.make(
      { (connection) throws(BusCall.Failure) in
        try BusCall.message("Set", of: Self.properties, at: object.path, object.name, on: connection) {
          (message) throws(BusValueError) in
          try message.append(strings: property.interface, property.name)
          try message.append(value, as: .variant)
        }
      }
    ) { call, _ in call.finish(.returned([])) }
  }
}
