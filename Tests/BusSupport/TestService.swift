package import Linux

/// A service with one object on a bus, written for tests: it follows instructions, including those for faulty
/// behaviour.
package final class TestService {
  package struct Property {
    package var type: BusType
    package var value: BusValue
    /// The value of `EmitsChangedSignal` in its description.
    package var announcement: String?
    /// `read`, `write` or `readwrite`.
    package var access: String

    package init(
      _ type: BusType, _ value: BusValue, announcement: String? = nil, access: String = "readwrite"
    ) {
      self.access = access
      self.type = type
      self.value = value
      self.announcement = announcement
    }
  }

  /// A call without an answer so far.
  package final class HeldCall {
    package let message: BusMessage
    package init(_ message: borrowing BusMessage) { self.message = message.copy() }
  }

  package static let path = "/org/example/Thing"
  package static let interface = "org.example.Thing"

  package let connection: BusConnection
  package var properties: [String: Property] = [:]
  /// The methods and signals in its description.
  package var members = ""
  /// Called before each regular answer; returns true if it has answered or holds the call.
  package var meddle: (borrowing BusMessage) throws -> Bool = { _ in false }
  /// The number of calls of each method.
  package private(set) var calls: [String: Int] = [:]
  package private(set) var owned: Set<String> = []
  package private(set) var isClosed = false
  private var slots: [BusSlot] = []
  private var requests: [Int: BusSlot] = [:]
  private var requestCount = 0

  /// - Parameter root: The path prefix of its objects.
  package init(on address: BusAddress, poller: Poller, below root: String = "/org/example") throws {
    var process: () -> Void = {}
    connection = try BusConnection(to: address, poller: poller) { process() }
    slots.append(
      try connection.serve(root, isWholeTree: true) { [unowned self] call in try? answer(call) })
    process = { [weak self] in self?.process() }
  }

  private func process() {
    if isClosed { return }
    do throws(Errno) {
      while try connection.process() {}
      try connection.arm()
    } catch {
      close()
    }
  }

  package func close() {
    isClosed = true
    owned = []
    connection.close()
  }

  /// Arms the connection, so that unsent data is written later.
  private func settle() { if !isClosed { try? connection.arm() } }

  // MARK: Names

  package func own(_ name: String) throws {
    requestCount += 1
    let number = requestCount
    requests[number] = try connection.request(name) { [unowned self] answer in
      requests[number] = nil
      // Another connection that the bus does not yet know to be closed may own it.
      let result = try? answer.value()
      if result == .integer(1) || result == .integer(4) { owned.insert(name) }
    }
    settle()
  }

  package func release(_ name: String) throws {
    requestCount += 1
    let number = requestCount
    requests[number] = try connection.release(name) { [unowned self] _ in
      requests[number] = nil
      owned.remove(name)
    }
    settle()
  }

  /// True once the bus has answered all requests about names.
  package var areNamesSettled: Bool { requests.isEmpty }

  // MARK: Properties

  /// Changes a property, and announces it with its value, without it, or not at all.
  package func change(_ name: String, to value: BusValue, announced: String = "true") throws {
    properties[name]?.value = value
    switch announced {
    case "true": try announce([name])
    case "invalidates": try announce([], invalidated: [name])
    default: break
    }
  }

  package func announce(_ names: [String], invalidated: [String] = [], at path: String = path) throws {
    var message = try OutgoingBusMessage.signal(
      "PropertiesChanged", of: "org.freedesktop.DBus.Properties", at: path, on: connection, limits: Self.limits)
    try message.append(strings: Self.interface)
    try message.append(dictionary(names), as: .dictionary(key: .string, value: .variant))
    try message.append(.list(invalidated.map(BusValue.string)), as: .array(.string))
    try connection.send(message)
    settle()
  }

  private func dictionary(_ names: [String]) -> BusValue {
    .dictionary(
      names.sorted().compactMap { name in
        properties[name].map { .init(key: name, value: .variant($0.type, $0.value)) }
      })
  }

  /// Test values may be large.
  private static let limits = BusLimits(bytes: 64 << 20)

  package func emit(
    _ member: String, _ values: [(BusType, BusValue)], of interface: String = interface, at path: String = path
  ) throws {
    var message = try OutgoingBusMessage.signal(member, of: interface, at: path, on: connection, limits: Self.limits)
    for (type, value) in values { try message.append(value, as: type) }
    try connection.send(message)
    settle()
  }

  // MARK: Calls

  private func answer(_ call: borrowing BusMessage) throws {
    calls[call.member ?? "", default: 0] += 1
    if try meddle(call) { return }
    call.rewind()
    try reply(to: call)
  }

  /// Sends the regular answer to a call.
  package func reply(to call: borrowing BusMessage) throws {
    switch call.member {
    case "Get":
      _ = try call.string()
      let name = try call.string()
      guard let property = properties[name] else {
        return try refuse(call, "UnknownProperty", "there is no \(name)")
      }
      if property.access == "write" { return try refuse(call, "InvalidArgs", "\(name) is not readable") }
      try reply(to: call, [(.variant, .variant(property.type, property.value))])
    case "GetAll":
      try reply(to: call, [(.dictionary(key: .string, value: .variant), dictionary(Array(properties.keys)))])
    case "Set":
      _ = try call.string()
      let name = try call.string()
      let type = try call.typeOfVariant()
      guard properties[name]?.type == type else { return try refuse(call, "InvalidArgs", "the type is another") }
      let value = try call.value()
      try reply(to: call, [])
      try change(name, to: value)
    case "Introspect":
      let below = Self.path.dropFirst(call.path == "/" ? 1 : (call.path?.count ?? 0) + 1).prefix { $0 != "/" }
      let isAbove = call.path == "/" || Self.path.hasPrefix("\(call.path ?? "")/")
      let text = call.path == Self.path ? introspection : isAbove ? "<node><node name=\"\(below)\"/></node>" : "<node/>"
      try reply(to: call, [(.string, .string(text))])
    default: try refuse(call, "UnknownMethod", "there is no \(call.member ?? "")")
    }
  }

  package func reply(to call: borrowing BusMessage, _ values: [(BusType, BusValue)]) throws {
    var message = try OutgoingBusMessage.answer(to: call, limits: Self.limits)
    for (type, value) in values { try message.append(value, as: type) }
    try connection.send(message)
    settle()
  }

  package func refuse(_ call: borrowing BusMessage, _ name: String, _ text: String) throws {
    let error = BusError(name: "org.freedesktop.DBus.Error.\(name)", message: text)
    try connection.send(OutgoingBusMessage.error(error, to: call))
    settle()
  }

  private var introspection: String {
    let lines = properties.sorted { $0.key < $1.key }.map { name, property in
      let annotation = property.announcement.map {
        "<annotation name=\"org.freedesktop.DBus.Property.EmitsChangedSignal\" value=\"\($0)\"/>"
      }
      let attributes = "name=\"\(name)\" type=\"\(property.type.signature)\" access=\"\(property.access)\""
      return "<property \(attributes)>\(annotation ?? "")</property>"
    }
    let contents = lines.joined() + members
    return "<node><interface name=\"\(Self.interface)\">\(contents)</interface><node name=\"Part\"/></node>"
  }
}
