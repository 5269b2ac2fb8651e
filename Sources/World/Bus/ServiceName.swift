import Base
package import Linux

/// An observer of a name's owner.
package protocol OwnerWatcher: AnyObject {
  /// Called when the owner has changed, is gone, or is known for the first time.
  func ownerChanged()
}

/// A service name on one connection, and its owner.
package final class ServiceName {
  private static let bus = "org.freedesktop.DBus"
  /// The service manager, which announces changes only to connections that have subscribed.
  private static let serviceManager = "org.freedesktop.systemd1"

  private let text: String
  private weak var link: BusLink?
  /// The unique name of the owning connection.
  package private(set) var owner: String?
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
    link?.remove(name: text)
  }

  /// Installs the match for changes before asking for the owner, so that no change is missed.
  ///
  /// The question bypasses the call window: a listener knows the owner when its first message arrives.
  private func begin(_ link: BusLink) {
    let rule = MatchRule(
      sender: Self.bus, path: "/org/freedesktop/DBus", interface: Self.bus, member: "NameOwnerChanged",
      arguments: [0: ExactText(text)])
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

  package func add(_ watcher: any OwnerWatcher) {
    watchers.append(watcher)
    if isKnown { watcher.ownerChanged() }
  }

  package func remove(_ watcher: any OwnerWatcher) { watchers.removeAll { $0 === watcher } }

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
      // The slot records that this was done; the connection may have been subscribed before.
      subscription = try link.connection.call(message, timeout: .seconds(25)) { [weak link] answer in
        guard let error = answer.error, !error.name.hasSuffix(".AlreadySubscribed") else { return }
        link?.host.buses.log.warning("cannot follow changes of units: \(error)")
      }
    } catch {
      link.host.buses.log.warning("cannot follow changes of units: \(error)")
    }
  }

  private func call(_ method: String, of owner: String, _ connection: BusConnection) throws {
    let message = try OutgoingBusMessage.call(
      of: method, "\(Self.serviceManager).Manager", at: "/org/freedesktop/systemd1", of: owner, on: connection)
    try connection.send(message)
  }
}

extension ServiceName: MatchListener {
  package func handle(_ message: borrowing BusMessage) {
    guard message.has(signature: "sss"), (try? message.string()) == text, (try? message.string()) != nil,
      let owner = try? message.string()
    else { return }
    take(owner.isEmpty ? nil : owner)
  }

  package func matchTaken() { if let link { ask(link) } }

  /// Changes are not reported then; the present owner remains known.
  package func matchFailed(_ reason: String) {
    link?.host.buses.log.warning("cannot follow the owner of \(text) on the bus: \(reason)")
  }
}
