import GraphEngine
import GraphModel
import JSON
import Linux
import WireProtocol
import World

// Method calls of the objects.
extension BusService {
  func take(_ call: borrowing BusMessage) {
    guard let link else { return }
    signals.catchUp()
    do throws(BusError) {
      try answer(call, on: link)
    } catch {
      guard let answer = try? OutgoingBusMessage.error(error, to: call) else { return }
      try? link.connection.send(answer)
    }
  }

  private func answer(_ call: borrowing BusMessage, on link: BusLink) throws(BusError) {
    let path = call.path ?? ""
    let member = call.member ?? ""
    let isProperty = call.isOf("org.freedesktop.DBus.Properties")
    if call.isOf("org.freedesktop.DBus.Introspectable"), member == "Introspect" {
      return try reply(to: call, on: link, .string(try description(of: path)), as: .string)
    }
    let signal = try signal(at: path)
    switch member {
    case "Send" where call.isOf(Self.interface): try send(call, to: signal)
    case "Get" where isProperty:
      let name = try propertyName(call, "ss")
      try reply(to: call, on: link, try property(name, of: signal), as: .variant)
    case "GetAll" where isProperty:
      try checkInterface(call, "s")
      try replyWithAll(to: call, on: link, signal)
    case "Set" where isProperty:
      let name = try propertyName(call, "ssv")
      guard name == "Value" else {
        throw .common("PropertyReadOnly", "\(name) cannot be set")
      }
      try send(call, to: signal)
    default:
      throw .common("UnknownMethod", "unknown method \(member) of \(call.interface ?? "an object")")
    }
  }

  private func signal(at path: String) throws(BusError) -> ExportedSignal {
    if let signal = signals[path: path] { return signal }
    throw .common("UnknownObject", "no signal at \(path)")
  }

  private func description(of path: String) throws(BusError) -> String {
    let beginning = path + "/"
    let below = signals.all.map(\.path).filter { $0.hasPrefix(beginning) }
    let children = Set(below.map { $0.dropFirst(beginning.count).prefix { $0 != "/" } })
    let signal = signals[path: path]
    if children.isEmpty && signal == nil && path != ObjectPath.root { _ = try self.signal(at: path) }
    let takesValues = signal.map { signals.channel(of: $0)?.signal.acceptsValues ?? false }
    return BusDescription(
      children: children.map(String.init).sorted(), signal: takesValues, interface: Self.interface
    ).text
  }

  // MARK: Properties

  private func checkInterface(_ call: borrowing BusMessage, _ signature: String) throws(BusError) {
    guard call.has(signature: signature), let interface = try? call.string() else {
      throw .common("InvalidArgs", "\(call.member ?? "") takes the arguments \(signature)")
    }
    if interface.isEmpty || interface == Self.interface { return }
    throw .common("UnknownInterface", "signals have no interface \(interface) with properties")
  }

  private func propertyName(_ call: borrowing BusMessage, _ signature: String) throws(BusError) -> String {
    try checkInterface(call, signature)
    guard let name = try? call.string() else { throw .common("InvalidArgs", "missing name of a property") }
    if ["Value", "Sequence", "Ended"].contains(name) { return name }
    throw .common("UnknownProperty", "unknown property \(name) of a signal; known: Value, Sequence, Ended")
  }

  private func property(_ name: String, of signal: ExportedSignal) throws(BusError) -> BusValue {
    switch name {
    case "Sequence": return number(signal)
    case "Ended": return ended(signal)
    default:
      if let current = signals.current(signal) { return .emission(current.value.value) }
      throw BusError(WireError(.noValue, "\"\(signal.name)\" has no value yet"))
    }
  }

  private func number(_ signal: ExportedSignal) -> BusValue {
    let number = signals.current(signal)?.sequence ?? signals.channel(of: signal)?.signal.sequence ?? 0
    return .variant(.uint64, BusValue(number))
  }

  /// A value that D-Bus cannot represent is omitted, as a missing one is.
  private func replyWithAll(
    to call: borrowing BusMessage, on link: BusLink, _ signal: ExportedSignal
  ) throws(BusError) {
    let others = [("Sequence", number(signal)), ("Ended", ended(signal))]
    let type = BusType.dictionary(key: .string, value: .variant)
    if let value = try? property("Value", of: signal),
      (try? reply(to: call, on: link, Self.dictionary([("Value", value)] + others), as: type)) != nil
    {
      return
    }
    try reply(to: call, on: link, Self.dictionary(others), as: type)
  }

  private func reply(
    to call: borrowing BusMessage, on link: BusLink, _ value: BusValue, as type: BusType
  ) throws(BusError) {
    guard var message = try? OutgoingBusMessage.answer(to: call) else { return }
    do throws(BusValueError) {
      try message.append(value, as: type)
    } catch {
      throw BusError(WireError(.badValue, "cannot express the value on D-Bus: \(error)"))
    }
    try? link.connection.send(message)
  }

  // MARK: Sending

  /// Reads the next value and sends it on behalf of the caller.
  private func send(_ call: borrowing BusMessage, to signal: ExportedSignal) throws(BusError) {
    guard let sender = call.sender, let type = try? call.typeOfVariant() else {
      throw .common("InvalidArgs", "the value must be a variant (v)")
    }
    let limits = BusLimits(bytes: dispatcher.control.lineLimit, depth: min(60, dispatcher.maximumDepth - 1))
    let value: BusValue
    do throws(BusValueError) {
      value = try call.value(within: limits)
    } catch {
      throw BusError(WireError(error.code, "cannot send the value: \(error)"))
    }
    do throws(SignalFailure) {
      let isNull = type == .signature && value == .string("")
      let value = isNull ? JSONValue.null : try JSONValue(value, bytes: .numbers)
      callers?.add(BusSend(value, to: signal.name, call), from: sender)
    } catch {
      throw BusError(WireError(.badValue, "the value cannot be sent: \(error.message)"))
    }
  }
}

extension BusMessage {
  /// Indicates a call of an interface; the interface of a call is optional.
  fileprivate func isOf(_ interface: String) -> Bool { self.interface.map { $0 == interface } ?? true }
}

extension BusValueError {
  fileprivate var code: ErrorCode {
    switch self {
    case .tooLarge: .tooLong
    case .tooDeep: .tooDeep
    case .descriptor, .malformed, .mismatch: .badValue
    }
  }
}
