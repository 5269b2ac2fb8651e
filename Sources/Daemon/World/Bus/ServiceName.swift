import Linux

/// Somebody who wants to know who owns a name.
protocol OwnerWatcher: AnyObject {
  /// Somebody else owns it now, or nobody; also told once it is known at first.
  func ownerChanged()
}

/// A name of a service on one connection, and who owns it.
final class ServiceName {
  private static let bus = "org.freedesktop.DBus"
  /// The service manager, which announces only to those who have subscribed.
  private static let serviceManager = "org.freedesktop.systemd1"

  private let text: String
  private weak var link: BusLink?
  /// The unique name of the connection that owns it.
  private(set) var owner: String?
  private(set) var isKnown = false
  private var match: SharedMatch?
  private var question: BusSlot?
  private var subscription: BusSlot?
  private var watchers: [any OwnerWatcher] = []

  init(_ text: String, link: BusLink) {
    self.text = text
    self.link = link
    begin(link)
  }

  deinit {
    match?.remove(self)
    if subscription != nil, let owner, let link { try? call("Unsubscribe", of: owner, link.connection) }
    link?.forget(name: text)
  }

  /// Listens to changes, and then asks, so that none is missed.
  ///
  /// The question does not wait for others: a listener knows the owner when the first one comes.
  private func begin(_ link: BusLink) {
    let rule = MatchRule(
      sender: Self.bus, path: "/org/freedesktop/DBus", interface: Self.bus, member: "NameOwnerChanged",
      arguments: [0: text])
    match = link.match(rule)
    match?.add(self)
    ask(link)
  }

  private func ask(_ link: BusLink) {
    do {
      var message = try OutgoingBusMessage.call(
        of: "GetNameOwner", Self.bus, at: "/org/freedesktop/DBus", of: Self.bus, on: link.connection)
      try message.append(strings: text)
      question = try link.connection.call(message, timeout: .seconds(25)) { [unowned self] answer in
        question = nil
        take(answer.error == nil ? try? answer.string() : nil)
      }
    } catch {
      take(nil)
    }
  }

  func add(_ watcher: any OwnerWatcher) {
    watchers.append(watcher)
    if isKnown { watcher.ownerChanged() }
  }

  func remove(_ watcher: any OwnerWatcher) { watchers.removeAll { $0 === watcher } }

  private func take(_ owner: String?) {
    if isKnown && owner == self.owner { return }
    self.owner = owner
    isKnown = true
    subscription = nil
    if let owner, text == Self.serviceManager { subscribe(to: owner) }
    for watcher in watchers { watcher.ownerChanged() }
  }

  private func subscribe(to owner: String) {
    guard let link else { return }
    do {
      let message = try OutgoingBusMessage.call(
        of: "Subscribe", "\(Self.serviceManager).Manager", at: "/org/freedesktop/systemd1", of: owner,
        on: link.connection)
      // What is returned is kept as the note that it was done; somebody may have subscribed on this connection before.
      subscription = try link.connection.call(message, timeout: .seconds(25)) { [weak link] answer in
        guard let error = answer.error, !error.name.hasSuffix(".AlreadySubscribed") else { return }
        link?.host.buses.log.warning("the service manager does not announce changes of units: \(error)")
      }
    } catch {
      link.host.buses.log.warning("the service manager does not announce changes of units: \(error)")
    }
  }

  private func call(_ method: String, of owner: String, _ connection: BusConnection) throws {
    let message = try OutgoingBusMessage.call(
      of: method, "\(Self.serviceManager).Manager", at: "/org/freedesktop/systemd1", of: owner, on: connection)
    try connection.send(message)
  }
}

extension ServiceName: MatchListener {
  func hear(_ message: borrowing BusMessage) {
    guard message.has(signature: "sss"), (try? message.string()) == text, (try? message.string()) != nil,
      let owner = try? message.string()
    else { return }
    take(owner.isEmpty ? nil : owner)
  }

  func matchTaken() { if let link { ask(link) } }

  /// Then nobody can be told of changes; the owner that there is remains known.
  func matchFailed(_ reason: String) {
    link?.host.buses.log.warning("the owner of \(text) on the bus is not followed: \(reason)")
  }
}
