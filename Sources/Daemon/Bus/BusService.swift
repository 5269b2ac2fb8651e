import GraphModel
import Linux
import WireProtocol
import World

/// The daemon as a service on a message bus: each signal with `dbus: true` is an object.
///
///     BusService → ExportedSignals   their events
///                  BusCallers        the clients that send to them
///
/// `BusHost` reconnects to the bus when it is unavailable. Every client of the bus sees these objects and their events;
/// only senders are identified.
final class BusService: BusUser, OwnerWatcher {
  static let interface = "org.signalbox.Signal1"
  /// The delay before a refused name is requested again.
  private static let pause = Duration.seconds(30)

  var slot = 0
  let settings: BusSettings
  let signals: ExportedSignals
  let dispatcher: Dispatcher
  private let host: BusHost
  private let ledger: Ledger
  private let socket: () -> String?
  private let log: Log
  /// The connection, while it is ready.
  private(set) var link: BusLink?
  private(set) var callers: BusCallers?
  private var objects: BusSlot?
  private var request: BusSlot?
  private var name: ServiceName?
  /// Fires when the name is to be requested again.
  private var alarm: BusAlarm?
  private var isAlarmed = false
  /// The last log message about the name, so that each is logged once.
  private var lastWord = ""
  private var isOver = false

  /// - Parameter socket: Returns the path of the socket for clients.
  init(
    _ settings: BusSettings, host: BusHost, _ dispatcher: Dispatcher, _ ledger: Ledger,
    socket: @escaping () -> String?, log: Log
  ) {
    self.settings = settings
    self.host = host
    self.dispatcher = dispatcher
    self.ledger = ledger
    self.socket = socket
    self.log = log
    signals = ExportedSignals(dispatcher, ledger)
    signals.report = { [unowned self] signal, event in announce(event, of: signal) }
    signals.hasSpace = { [unowned self] in link?.connection.isBackedUp != true }
    signals.isLate = { [unowned self] in host.wake(self) }
    signals.update()
    host.add(self)
  }

  func apply(_ limits: Limits) { callers?.apply(limits) }

  /// Releases the name and disconnects from the bus.
  func end(because error: WireError? = nil) {
    if isOver { return }
    isOver = true
    callers?.end(because: error)
    _ = try? link?.connection.release(settings.name) { _ in }
    releaseName()
    signals.end()
    host.remove(self)
  }

  func attend() {
    if isOver { return }
    if host.link !== link {
      releaseName()
      if let link = host.link { join(link) }
    }
    if isAlarmed { requestName() }
    callers?.proceed()
    signals.resume()
  }

  // MARK: Connection

  private func join(_ link: BusLink) {
    self.link = link
    let callers = BusCallers(dispatcher, ledger, link: link, socket: socket, log: log)
    callers.wantsToResume = { [unowned self] in host.wake(self) }
    self.callers = callers
    do throws(Errno) {
      objects = try link.connection.serve(ObjectPath.root, isWholeTree: true) { [unowned self] call in take(call) }
    } catch {
      log.warning("cannot publish signals on the \(host.choice.name): \(error)")
    }
    requestName()
    let name = link.name(settings.name)
    self.name = name
    name.add(self)
  }

  private func releaseName() {
    name?.remove(self)
    name = nil
    request = nil
    objects = nil
    alarm?.cancel()
    isAlarmed = false
    callers?.end()
    callers = nil
    link = nil
  }

  // MARK: Name

  /// Requests the name; the bus queues the request while another connection owns it.
  private func requestName() {
    isAlarmed = false
    guard let link else { return }
    do throws(Errno) {
      request = try link.connection.request(settings.name, waits: true) { [unowned self] answer in
        if let error = answer.error { nameIsRefused("\(error)") }
      }
    } catch {
      nameIsRefused("\(error)")
    }
  }

  private func nameIsRefused(_ reason: String) {
    say(.warning, "cannot own \(settings.name) on the \(host.choice.name), retrying: \(reason)")
    alarm = host.buses.alarms.schedule(after: Self.pause) { [unowned self] in
      isAlarmed = true
      host.wake(self)
    }
  }

  func ownerChanged() {
    guard let owner = name?.owner, let link else { return }
    if owner == link.connection.uniqueName {
      let count = signals.all.count
      say(.info, "owns \(settings.name) on the \(host.choice.name), with \(count) signal\(count == 1 ? "" : "s")")
    } else {
      say(
        .warning,
        "\(settings.name) on the \(host.choice.name) is owned by \(owner): waiting for its release")
    }
  }

  private func say(_ level: LogLevel, _ text: String) {
    if text == lastWord { return }
    lastWord = text
    log.write(level, text, [])
  }
}
