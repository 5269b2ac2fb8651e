import JSON
import Linux
import ReactiveCore
import SignalGraph

/// Something of a service that is watched for somebody: through changes of the connection and of the owner of the name,
/// until it is disposed of.
///
/// It lives on the loop's thread alone.
class ServiceWatch: BusUser, OwnerWatcher, Disposable, @unchecked Sendable {
  let host: BusHost
  let receive: (BusEvent) -> Void
  private(set) var link: BusLink?
  private(set) var name: ServiceName?
  /// The unique name of the owner, of whom alone anything is told.
  private(set) var owner: String?
  var seat = 0
  /// Whether it has been told, last, that there is nobody.
  var isGone = false
  private(set) var isDisposed = false

  init(host: BusHost, _ receive: @escaping (BusEvent) -> Void) {
    self.host = host
    self.receive = receive
  }

  /// Nothing is told from now on.
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
    if link == nil && host.isAway { tellGone() }
  }

  /// Listens first, and learns then who the owner is: so nothing is missed between.
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

  func tellGone() {
    if isGone { return }
    isGone = true
    receive(.gone)
  }

  /// Something makes no value.
  func refuse(_ failure: SignalFailure) { if !isDisposed { receive(.refused(failure)) } }

  // MARK: The part of each kind

  /// The object that it is about.
  var object: BusObject { fatalError("each kind has its own") }

  /// Listens on a connection that is new.
  func listen(on link: BusLink) {}

  func stopListening() {}

  /// Another one is the owner, or nobody, or it is known for the first time.
  func ownerIsKnown() {}
}
