import JSON
import Linux
import SignalGraph

/// Setting a property, whose type is asked for first.
struct PropertyAssignment {
  private static let properties = "org.freedesktop.DBus.Properties"

  let property: String
  let interface: String
  let object: BusObject
  let value: JSONValue

  /// Reads the property, for the type of what it holds.
  func begin(_ call: MethodCall) {
    call.make(
      { (connection) throws(BusCall.Failure) in
        try BusCall.message("Get", of: Self.properties, at: object.path, object.name, on: connection) {
          (message) throws(BusValueError) in
          try message.append(.string(interface), as: .string)
          try message.append(.string(property), as: .string)
        }
      }
    ) { call, answer in
      do throws(BusValueError) {
        set(as: try answer.typeOfVariant(), call)
      } catch {
        call.fail(SignalFailure(noValue: "\(property): its type cannot be read: \(error)"))
      }
    }
  }

  private func set(as type: BusType, _ call: MethodCall) {
    let value: BusValue
    do throws(Misfit) {
      value = .variant(type, try BusValue(self.value, as: type, bytes: .text))
    } catch {
      return call.fail(SignalFailure(noValue: "\(property)\(error)"))
    }
    call.make(
      { (connection) throws(BusCall.Failure) in
        try BusCall.message("Set", of: Self.properties, at: object.path, object.name, on: connection) {
          (message) throws(BusValueError) in
          try message.append(.string(interface), as: .string)
          try message.append(.string(property), as: .string)
          try message.append(value, as: .variant)
        }
      }
    ) { call, _ in call.finish(.returned([])) }
  }
}
