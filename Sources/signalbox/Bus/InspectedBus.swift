internal import Glibc
internal import GraphModel
internal import Linux

/// A bus that is inspected with synchronous calls, one after another; they start no service.
final class InspectedBus {
  /// The longest time for an answer of the bus or a service.
  static let patience = Duration.seconds(5)
  /// The longest time for the whole inspection.
  static let longest = Duration.seconds(60)
  private static let name = "org.freedesktop.DBus"
  private static let path = "/org/freedesktop/DBus"

  /// The reason that a bus cannot be inspected any further.
  struct Away: Error {
    let reason: String
  }

  let choice: BusChoice
  private let connection: BusConnection
  private let end = MonotonicInstant.now() + longest
  /// The names that have an owner.
  let owned: Set<String>
  /// The names of services that the bus can start.
  let activatable: Set<String>
  private var descriptions: [BusObject: Result<Introspection, BusError>] = [:]
  /// Services that have not answered, and are not asked again.
  private var silent: [String: BusError] = [:]

  init(_ choice: BusChoice) throws(Away) {
    self.choice = choice
    guard let address = choice.address else { throw Away(reason: "\(choice.inWords) has no address here") }
    do throws(Errno) {
      connection = try BusConnection(to: address, poller: Poller()) {}
      try connection.waitUntilReady(before: .now() + Self.patience)
    } catch {
      throw .init(error, of: choice)
    }
    owned = try Self.names("ListNames", connection, choice)
    activatable = try Self.names("ListActivatableNames", connection, choice)
  }

  private static func names(
    _ method: String, _ connection: BusConnection, _ choice: BusChoice
  ) throws(Away) -> Set<String> {
    do {
      let message = try OutgoingBusMessage.call(of: method, name, at: path, of: name, on: connection)
      let answer = try connection.ask(message, before: .now() + patience).get()
      return Set(answer.first?.texts ?? [])
    } catch let error as Errno {
      throw Away(error, of: choice)
    } catch {
      throw Away(reason: "\(choice.inWords) does not list its names: \(error)")
    }
  }

  // MARK: Objects

  /// Returns an object's introspection data.
  func description(of name: String, _ path: String) throws(Away) -> Result<Introspection, BusError> {
    let object = BusObject(bus: choice, name: name, path: path)
    if let known = descriptions[object] { return known }
    let answer = try ask("Introspect", of: Introspection.interface, at: path, name)
    let description = answer.flatMap { values -> Result<Introspection, BusError> in
      guard case .string(let text)? = values.first else {
        return .failure(BusError(name: "", message: "the answer is not an introspection document"))
      }
      return .success(Introspection(text))
    }
    descriptions[object] = description
    return description
  }

  /// Returns a property of an object.
  func property(
    _ property: String, of interface: String, at path: String, _ name: String
  ) throws(Away) -> Result<BusValue, BusError> {
    try ask("Get", of: "org.freedesktop.DBus.Properties", at: path, name, interface, property).flatMap { values in
      values.first.map(Result.success) ?? .failure(BusError(name: "", message: "the answer is empty"))
    }
  }

  /// Returns the names of a type's units that are loaded in systemd or have files.
  func units(endingWith type: String) throws(Away) -> [String] {
    let (path, name) = ("/org/freedesktop/systemd1", "org.freedesktop.systemd1")
    var units: [String] = []
    for method in ["ListUnitsByPatterns", "ListUnitFilesByPatterns"] {
      let answer = try ask(method, of: "\(name).Manager", at: path, name, lists: [[], ["*.\(type)"]])
      guard case .success(let values) = answer, case .list(let rows)? = values.first else { continue }
      for row in rows {
        guard case .list(let columns) = row, case .string(let text)? = columns.first else { continue }
        units.append(text.split(separator: "/").last.map(String.init) ?? text)
      }
    }
    return units.filter { !$0.contains("@.") }
  }

  private func ask(
    _ method: String, of interface: String, at path: String, _ name: String, _ texts: String...,
    lists: [[String]] = []
  ) throws(Away) -> Result<[BusValue], BusError> {
    if let silence = silent[name] { return .failure(silence) }
    let now = MonotonicInstant.now()
    guard now < end else {
      throw Away(
        reason: "inspection of \(choice.inWords) exceeded \(Self.longest.components.seconds) s: rest not checked"
      )
    }
    let answer: Result<[BusValue], BusError>
    do {
      var message = try OutgoingBusMessage.call(of: method, interface, at: path, of: name, on: connection)
      for text in texts { try message.append(strings: text) }
      for list in lists { try message.append(.list(list.map(BusValue.string)), as: .array(.string)) }
      answer = try connection.ask(message, before: min(now + Self.patience, end))
    } catch let error as Errno {
      throw Away(error, of: choice)
    } catch {
      return .failure(BusError(name: "", message: "\(error)"))
    }
    if case .failure(let error) = answer, error.isMissingReply { silent[name] = error }
    return answer
  }
}

extension InspectedBus.Away {
  fileprivate init(_ error: Errno, of choice: BusChoice) {
    let patience = InspectedBus.patience.components.seconds
    reason =
      error.number == ETIMEDOUT
      ? "no answer from \(choice.inWords) within \(patience) s" : "cannot connect to \(choice.inWords): \(error.reason)"
  }
}

extension BusValue {
  /// The strings of a list.
  fileprivate var texts: [String] {
    guard case .list(let values) = self else { return [] }
    return values.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }
}

extension BusChoice {
  fileprivate var address: BusAddress? {
    switch self {
    case .system: .system
    case .session: .session
    case .address(let text): BusAddress(text)
    }
  }
}
