internal import Linux
internal import SignalGraph
internal import Spelling

/// Compares what a configuration names on buses with what is there.
struct LiveCheck {
  /// The mistakes, and the doubtful things, in the order of the mentions.
  private(set) var found: [Diagnostic] = []
  /// The reasons why a bus was not looked at, or not all of it.
  private(set) var away: [String] = []

  init(_ mentions: [BusMention]) {
    var order: [BusChoice] = []
    for mention in mentions where !order.contains(mention.bus) { order.append(mention.bus) }
    for choice in order {
      do throws(InspectedBus.Away) {
        let bus = try InspectedBus(choice)
        for mention in mentions where mention.bus == choice {
          found += try MentionCheck(mention, on: bus).found()
        }
      } catch {
        away.append(error.reason)
      }
    }
  }
}

/// Compares one mention with what is there.
private struct MentionCheck {
  private let mention: BusMention
  private let bus: InspectedBus
  private let problems = Problems()

  private typealias Word = BusMention.Word

  init(_ mention: BusMention, on bus: InspectedBus) {
    self.mention = mention
    self.bus = bus
  }

  func found() throws(InspectedBus.Away) -> [Diagnostic] {
    try look()
    return problems.diagnostics.list
  }

  private func look() throws(InspectedBus.Away) {
    guard isRunning else { return }
    if case .unit(let unit) = mention.use { return try checkUnit(unit) }
    guard let object = try object(), let interface = interface(of: object) else { return }
    switch mention.use {
    case .properties(let names, let isPolled, let isWritten, let type):
      for name in names {
        guard let property = find(name, "property", interface.properties, \.name, of: object) else { continue }
        try check(property, name, isPolled: isPolled, isWritten: isWritten, declared: type)
      }
    case .signal(let name, let arguments):
      guard let signal = find(name, "signal", interface.signals, \.name, of: object) else { return }
      check(signal, name, arguments)
    case .method(let name, let signature):
      guard let method = find(name, "method", interface.methods, \.name, of: object) else { return }
      check(method, name, signature)
    case .unit: break
    }
  }

  private func tell(
    _ severity: Diagnostic.Severity, _ message: String, at extent: Extent, suggestion: String? = nil
  ) {
    problems.report(Diagnostic(severity, message, at: extent.place, length: extent.length, suggestion: suggestion))
  }

  // MARK: Service and object

  private var name: String { mention.name.text }

  /// Whether somebody owns the name, who can be asked.
  private var isRunning: Bool {
    if bus.owned.contains(name) { return true }
    if bus.activatable.contains(name) {
      tell(
        .note, "\(name) does not run, but can be started; nothing of it is looked at", at: mention.name.place)
      return false
    }
    let known = bus.owned.union(bus.activatable).filter { !$0.hasPrefix(":") }.sorted()
    tell(
      .warning, "nobody owns \(name) on \(bus.choice.inWords), and it cannot be started", at: mention.name.place,
      suggestion: Suggestion.likely(for: name, among: known))
    return false
  }

  private func object() throws(InspectedBus.Away) -> Introspection? {
    switch try bus.description(of: name, mention.path.text) {
    case .success(let object) where !object.interfaces.isEmpty: return object
    case .failure(let error) where !error.isUnknownObject:
      tell(.warning, error.reason(of: name, "its objects"), at: mention.path.place)
    case .success, .failure:
      tell(
        .warning, "\(name) has no object \(mention.path.text) now", at: mention.path.place,
        suggestion: try pathThatIs())
    }
    return nil
  }

  /// The path that was probably meant, found from the top.
  private func pathThatIs() throws(InspectedBus.Away) -> String? {
    var path = ""
    var hasChanged = false
    for part in mention.path.text.split(separator: "/").map(String.init) {
      guard case .success(let above) = try bus.description(of: name, path.isEmpty ? "/" : path) else { return nil }
      if above.children.contains(part) {
        path += "/\(part)"
      } else if let meant = Suggestion.likely(for: part, among: above.children) {
        path += "/\(meant)"
        hasChanged = true
      } else {
        return nil
      }
    }
    return hasChanged ? path : nil
  }

  private func interface(of object: Introspection) -> Introspection.Interface? {
    let text = mention.interface.text
    if let found = object.interface(text) { return found }
    // Those of D-Bus itself are often not described.
    if text.hasPrefix("org.freedesktop.DBus.") { return nil }
    tell(
      .error, "\(mention.path.text) of \(name) has no interface \(text)", at: mention.interface.place,
      suggestion: Suggestion.likely(for: text, among: object.interfaces.map(\.name)))
    return nil
  }

  // MARK: Members

  private func find<Member>(
    _ word: Word, _ kind: String, _ members: [Member], _ name: KeyPath<Member, String>, of object: Introspection
  ) -> Member? {
    if let member = members.first(where: { $0[keyPath: name] == word.text }) { return member }
    let interface = mention.interface.text
    var message = "\(interface) has no \(kind) \(word.text)"
    if let other = object.kind(of: word.text, in: interface), other != kind {
      message += ", but a \(other) of that name"
    } else if let home = object.interfaces.first(where: { object.kind(of: word.text, in: $0.name) == kind }) {
      message += ", which is one of \(home.name)"
    }
    tell(
      .error, message, at: word.place,
      suggestion: Suggestion.likely(for: word.text, among: members.map { $0[keyPath: name] }))
    return nil
  }

  private func check(
    _ property: Introspection.Property, _ name: Word, isPolled: Bool, isWritten: Bool, declared: Word?
  ) throws(InspectedBus.Away) {
    if let declared, declared.text != property.signature {
      tell(
        .error, "the type of \(name.text) is \(property.signature), not \(declared.text)", at: declared.place,
        suggestion: property.signature)
    }
    if isWritten, !property.isWritable { tell(.error, "\(name.text) can only be read", at: name.place) }
    checkBytes(in: [property.signature], of: name)
    if property.signature.contains("h") {
      tell(.error, "\(name.text) holds a descriptor (\(property.signature)), which makes no value", at: name.place)
    } else if property.isReadable {
      try checkReading(of: name)
    } else {
      tell(
        isWritten ? .note : .error, "\(name.text) can only be set, and is never told", at: name.place)
    }
    if isPolled || !property.isReadable { return }
    switch property.announcement {
    case .never:
      tell(.warning, "\(name.text) does not announce its changes: it is read again only with \"every\"", at: name.place)
    case .constant:
      tell(.warning, "\(name.text) is constant while its service runs: it is read once", at: name.place)
    case .withValue, .withoutValue: break
    }
  }

  private func checkReading(of property: Word) throws(InspectedBus.Away) {
    let (path, interface) = (mention.path.text, mention.interface.text)
    guard case .failure(let error) = try bus.property(property.text, of: interface, at: path, name) else { return }
    tell(.warning, error.reason(of: name, property.text), at: property.place)
  }

  private func check(
    _ signal: Introspection.Member, _ name: Word, _ arguments: [(number: Int, place: Extent)]
  ) {
    for (number, place) in arguments {
      if number >= signal.outputs.count {
        let count = signal.outputs.count
        tell(.error, "\(name.text) has \(counted(count, "argument")), and none is number \(number)", at: place)
      } else if signal.outputs[number] != "s" {
        tell(.error, "argument \(number) of \(name.text) is no string (s), but \(signal.outputs[number])", at: place)
      }
    }
    checkBytes(in: signal.outputs, of: name)
    if signal.outputs.joined().contains("h") {
      let types = signal.outputs.joined()
      tell(.error, "\(name.text) brings a descriptor (\(types)), which makes no value", at: name.place)
    }
  }

  private func check(_ method: Introspection.Member, _ name: Word, _ signature: Word) {
    let expected = method.inputs.joined()
    if signature.text != expected {
      let message =
        expected.isEmpty
        ? "\(name.text) takes no arguments, and needs no signature"
        : signature.text.isEmpty
          ? "\(name.text) takes arguments: give their signature, \(expected)"
          : "the signature of \(name.text) is \(expected), not \(signature.text)"
      tell(
        .error, message, at: signature.place,
        suggestion: expected.isEmpty || signature.text.isEmpty ? nil : expected)
    }
    checkBytes(in: method.inputs + method.outputs, of: name)
    if method.outputs.joined().contains("h") {
      tell(
        .warning, "\(name.text) returns a descriptor (\(method.outputs.joined())): each call fails once it is done",
        at: name.place)
    }
  }

  /// Bytes as text mean something only where there are bytes.
  private func checkBytes(in types: [String], of name: Word) {
    guard let place = mention.textBytes else { return }
    let types = types.joined()
    if types.contains("ay") || types.contains("v") { return }
    let others = types.isEmpty ? "nothing" : types
    tell(.error, "\(name.text) has no bytes (ay) that could be text, but \(others)", at: place)
  }

  // MARK: Units

  private func checkUnit(_ unit: Word) throws(InspectedBus.Away) {
    let interface = mention.interface.text
    switch try bus.property("LoadState", of: interface, at: mention.path.text, name) {
    case .success(.string("not-found")):
      let type = unit.text.split(separator: ".").last.map(String.init) ?? ""
      tell(
        .warning, "systemd has no unit \(unit.text)", at: unit.place,
        suggestion: Suggestion.likely(for: unit.text, among: try bus.units(endingWith: type)))
    case .success(.string(let state)) where ["error", "bad-setting"].contains(state):
      tell(.warning, "systemd cannot load \(unit.text) (\(state)): systemctl status says why", at: unit.place)
    case .success: break
    case .failure(let error): tell(.warning, error.reason(of: name, unit.text), at: unit.place)
    }
  }
}

extension Introspection {
  /// The kind of a member of an interface.
  fileprivate func kind(of member: String, in name: String) -> String? {
    guard let interface = interface(name) else { return nil }
    if interface.properties.contains(where: { $0.name == member }) { return "property" }
    if interface.signals.contains(where: { $0.name == member }) { return "signal" }
    return interface.methods.contains { $0.name == member } ? "method" : nil
  }
}

extension BusError {
  private static let standard = "org.freedesktop.DBus.Error."

  fileprivate var isUnknownObject: Bool { name == Self.standard + "UnknownObject" }

  /// Why something of a service cannot be looked at.
  fileprivate func reason(of service: String, _ subject: String) -> String {
    if isMissingReply { return "\(service) does not answer within \(InspectedBus.patience.components.seconds) s" }
    if name == Self.standard + "AccessDenied" {
      return "you may not look at \(subject) of \(service): \(self)"
    }
    return "\(subject) of \(service) cannot be looked at: \(self)"
  }
}
