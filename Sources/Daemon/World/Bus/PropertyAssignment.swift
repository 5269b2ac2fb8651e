import JSON
import Linux
import SignalGraph

/// Setting a property, whose type is asked for first: what it holds tells it or, where that cannot be read, what the
/// object says of itself.
struct PropertyAssignment {
  private static let properties = "org.freedesktop.DBus.Properties"

  let property: BusProperty
  let value: JSONValue

  private var object: BusObject { property.object }

  /// Sets it as soon as its type is known.
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
        askForType(call, unreadable: "what the service says of it makes no value: \(error)")
      }
    }
  }

  /// Asks the object to describe itself.
  ///
  /// - Parameter reason: Why the property cannot be read.
  private func askForType(_ call: MethodCall, unreadable reason: String) {
    func fail(_ call: MethodCall, _ answer: String) {
      let advice = "give its type with “signature”"
      call.fail(
        SignalFailure(
          code: "bus", message: "\(property.name) is not set, as its type is not known: \(reason); \(answer): \(advice)"
        ))
    }
    call.make(
      { (connection) throws(BusCall.Failure) in
        try BusCall.message("Introspect", of: Introspection.interface, at: object.path, object.name, on: connection)
      }, refused: { call, error in fail(call, "the object does not describe itself (\(error))") }
    ) { call, answer in
      guard let text = try? answer.string(), let interface = Introspection(text).interface(property.interface),
        let described = interface.properties.first(where: { $0.name == property.name }),
        let types = BusType.types(of: described.signature), types.count == 1
      else { return fail(call, "the object describes no such property") }
      set(as: types[0], call)
    }
  }

  private func set(as type: BusType, _ call: MethodCall) {
    let value: BusValue
    do throws(Misfit) {
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
