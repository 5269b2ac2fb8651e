import GraphModel
import JSON
import Linux
import Signals

/// A watch on a service, across changes of the connection and of the name's owner, until it is disposed of.
///
/// Confined to the loop's thread.
class ServiceWatch: BusUser, OwnerWatcher, Disposable, @unchecked Sendable {
  let host: BusHost
  let receive: (BusEvent) -> Void
  private(set) var link: BusLink?
  private(set) var name: ServiceName?
  /// The unique name of the owner.
  ///
  /// Messages from other connections are ignored.
  private(set) var owner: String?
  var slot = 0
  /// True if the last event delivered was that the service is gone.
  var isGone = false
  private(set) var isDisposed = false

  init(host: BusHost, _ receive: @escaping (BusEvent) -> Void) {
    self.host = host
    self.receive = receive
  }

  /// Stops delivering events.
  func dispose() {
    if isDisposed { return }
    isDisposed = true
    detach()
    host.remove(self)
  }

  func attend() {
    if isDisposed { return }
    if host.link !== link {
      detach()
      link = host.link
      if let link { attach(link) }
    }
    if link == nil && host.isAway { reportGone() }
  }

  /// Listens before learning the owner, so that nothing is missed in between.
  private func attach(_ link: BusLink) {
    name = link.name(object.name)
    listen(on: link)
    name?.add(self)
  }

  private func detach() {
    name?.remove(self)
    name = nil
    owner = nil
    link = nil
    stopListening()
  }

  func ownerChanged() {
    if isDisposed { return }
    owner = name?.owner
    ownerIsKnown()
  }

  func reportGone() {
    if isGone { return }
    isGone = true
    receive(.gone)
  }

  /// Reports something that cannot be converted to a value.
  func refuse(_ failure: SignalFailure) { if !isDisposed { receive(.refused(failure)) } }

  // MARK: Overridden by each kind

  /// The watched object.
  var object: BusObject { fatalError("each kind has its own") }

  /// Starts to listen on a new connection.
  func listen(on link: BusLink) {}

  func stopListening() {}

  /// Called when the owner has changed, is gone, or is known for the first time.
  func ownerIsKnown() {}
}
