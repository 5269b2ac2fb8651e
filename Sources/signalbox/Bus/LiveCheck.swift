internal import Base
internal import GraphModel
internal import Linux

/// The comparison of a configuration's names on buses with the running system.
struct LiveCheck {
  /// The errors and warnings, in the order of the mentions.
  private(set) var found: [Diagnostic] = []
  /// The reasons that buses were not inspected completely.
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

/// The comparison of one mention with the running system.
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

  private func report(
    _ severity: Diagnostic.Severity, _ message: String, at extent: Extent, suggestion: String? = nil
  ) {
    problems.report(Diagnostic(severity, message, at: extent.place, length: extent.length, suggestion: suggestion))
  }

  // MARK: Service and object

  private var name: String { mention.name.text }

  /// True if the name has an owner that can be inspected.
  private var isRunning: Bool {
    if bus.owned.contains(name) { return true }
    if bus.activatable.contains(name) {
      report(
        .note, "\(name) is not running but can be activated: its objects were not checked", at: mention.name.place)
      return false
    }
    let known = bus.owned.union(bus.activatable).filter { !$0.hasPrefix(":") }.sorted()
    report(
      .warning, "\(name) has no owner on \(bus.choice.inWords) and cannot be activated", at: mention.name.place,
      suggestion: Suggestion.likely(for: name, among: known))
    return false
  }

  private func object() throws(InspectedBus.Away) -> Introspection? {
    switch try bus.description(of: name, mention.path.text) {
    case .success(let object) where !object.interfaces.isEmpty: return object
    case .failure(let error) where !error.isUnknownObject:
      report(.warning, error.reason(of: name, "its objects"), at: mention.path.place)
    case .success, .failure:
      report(
        .warning, "\(name) has no object \(mention.path.text) at present", at: mention.path.place,
        suggestion: try pathThatIs())
    }
    return nil
  }

  /// Returns the path that was probably meant, searched from the root.
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
    // The standard interfaces of D-Bus are often missing from the introspection data.
    if text.hasPrefix("org.freedesktop.DBus.") { return nil }
    report(
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
      message += ", but it has a \(other) of that name"
    } else if let home = object.interfaces.first(where: { object.kind(of: word.text, in: $0.name) == kind }) {
      message += ", which is one of \(home.name)"
    }
    report(
      .error, message, at: word.place,
      suggestion: Suggestion.likely(for: word.text, among: members.map { $0[keyPath: name] }))
    return nil
  }

  private func check(
    _ property: Introspection.Property, _ name: Word, isPolled: Bool, isWritten: Bool, declared: Word?
  ) throws(InspectedBus.Away) {
    if let declared, declared.text != property.signature {
      report(
        .error, "the type of \(name.text) is \(property.signature), not \(declared.text)", at: declared.place,
        suggestion: property.signature)
    }
    if isWritten, !property.isWritable { report(.error, "\(name.text) is read-only", at: name.place) }
    checkBytes(in: [property.signature], of: name)
    if property.signature.contains("h") {
      report(
        .error, "\(name.text) holds a file descriptor (\(property.signature)), which cannot be a value", at: name.place)
    } else if property.isReadable {
      try checkReading(of: name)
    } else {
      report(
        isWritten ? .note : .error, "\(name.text) is write-only and never announced", at: name.place)
    }
    if isPolled || !property.isReadable { return }
    switch property.announcement {
    case .never:
      report(
        .warning, "\(name.text) does not announce its changes: set \"every\" to read it again", at: name.place)
    case .constant:
      report(.warning, "\(name.text) is constant while its service runs: it is read once", at: name.place)
    case .withValue, .withoutValue: break
    }
  }

  private func checkReading(of property: Word) throws(InspectedBus.Away) {
    let (path, interface) = (mention.path.text, mention.interface.text)
    guard case .failure(let error) = try bus.property(property.text, of: interface, at: path, name) else { return }
    report(.warning, error.reason(of: name, property.text), at: property.place)
  }

  private func check(
    _ signal: Introspection.Member, _ name: Word, _ arguments: [(number: Int, place: Extent)]
  ) {
    for (number, place) in arguments {
      if number >= signal.outputs.count {
        let count = signal.outputs.count
        report(.error, "\(name.text) has \(counted(count, "argument")): there is no argument \(number)", at: place)
      } else if signal.outputs[number] != "s" {
        report(
          .error, "argument \(number) of \(name.text) is of type \(signal.outputs[number]), not a string (s)", at: place
        )
      }
    }
    checkBytes(in: signal.outputs, of: name)
    if signal.outputs.joined().contains("h") {
      let types = signal.outputs.joined()
      report(.error, "\(name.text) carries a file descriptor (\(types)), which cannot be a value", at: name.place)
    }
  }

  private func check(_ method: Introspection.Member, _ name: Word, _ signature: Word) {
    let expected = method.inputs.joined()
    if signature.text != expected {
      let message =
        expected.isEmpty
        ? "\(name.text) takes no arguments: remove the signature"
        : signature.text.isEmpty
          ? "\(name.text) takes arguments: give their signature, \(expected)"
          : "the signature of \(name.text) is \(expected), not \(signature.text)"
      report(
        .error, message, at: signature.place,
        suggestion: expected.isEmpty || signature.text.isEmpty ? nil : expected)
    }
    checkBytes(in: method.inputs + method.outputs, of: name)
    if method.outputs.joined().contains("h") {
      report(
        .warning, "\(name.text) returns a file descriptor (\(method.outputs.joined())): calls fail on return",
        at: name.place)
    }
  }

  /// The option of bytes as text needs a type with bytes.
  private func checkBytes(in types: [String], of name: Word) {
    guard let place = mention.textBytes else { return }
    let types = types.joined()
    if types.contains("ay") || types.contains("v") { return }
    let others = types.isEmpty ? "nothing" : types
    report(.error, "\(name.text) has no byte array (ay) to read as text, only \(others)", at: place)
  }

  // MARK: Units

  private func checkUnit(_ unit: Word) throws(InspectedBus.Away) {
    let interface = mention.interface.text
    switch try bus.property("LoadState", of: interface, at: mention.path.text, name) {
    case .success(.string("not-found")):
      let type = unit.text.split(separator: ".").last.map(String.init) ?? ""
      report(
        .warning, "systemd has no unit \(unit.text)", at: unit.place,
        suggestion: Suggestion.likely(for: unit.text, among: try bus.units(endingWith: type)))
    case .success(.string(let state)) where ["error", "bad-setting"].contains(state):
      report(.warning, "systemd cannot load \(unit.text) (\(state)): see systemctl status", at: unit.place)
    case .success: break
    case .failure(let error): report(.warning, error.reason(of: name, unit.text), at: unit.place)
    }
  }
}

extension Introspection {
  /// Returns the kind of an interface's member.
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

  /// Returns the reason that something of a service cannot be inspected.
  fileprivate func reason(of service: String, _ subject: String) -> String {
    if isMissingReply { return "no answer from \(service) within \(InspectedBus.patience.components.seconds) s" }
    if name == Self.standard + "AccessDenied" {
      return "not permitted to inspect \(subject) of \(service): \(self)"
    }
    return "cannot inspect \(subject) of \(service): \(self)"
  }
}
