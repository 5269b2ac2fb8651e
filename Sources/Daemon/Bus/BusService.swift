import Linux
import SignalGraph
import WireProtocol

/// The daemon as a service on a message bus: each signal that says `dbus: true` is an object there.
///
///     BusService → ExportedSignals   what is told of them
///                  BusCallers        those who send to them
///
/// A bus that is away is connected to again and again, which is for the `BusHost` to do. Everybody on the bus sees
/// these objects and hears them; only who sends is asked for.
final class BusService: BusUser, OwnerWatcher {
  static let interface = "org.signalbox.Signal1"
  /// When a name that was refused is asked for again.
  private static let pause = Duration.seconds(30)

  var seat = 0
  let settings: BusSettings
  let signals: ExportedSignals
  let dispatcher: Dispatcher
  private let host: BusHost
  private let ledger: Ledger
  private let socket: () -> String?
  private let log: Log
  /// The connection, while there is one.
  private(set) var link: BusLink?
  private(set) var callers: BusCallers?
  private var objects: BusSlot?
  private var request: BusSlot?
  private var name: ServiceName?
  /// Rings when the name is to be asked for again.
  private var alarm: BusAlarm?
  private var isAlarmed = false
  /// The last thing that was said about the name, so that it is said once.
  private var lastWord = ""
  private var isOver = false

  /// - Parameter socket: The path of the socket that clients use.
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
    signals.tell = { [unowned self] signal, event in announce(event, of: signal) }
    signals.hasRoom = { [unowned self] in link?.connection.isBackedUp != true }
    signals.isLate = { [unowned self] in host.wake(self) }
    signals.update()
    host.add(self)
  }

  func apply(_ limits: Limits) { callers?.apply(limits) }

  /// Gives its name up, and leaves the bus.
  func end(because error: WireError? = nil) {
    if isOver { return }
    isOver = true
    callers?.end(because: error)
    _ = try? link?.connection.release(settings.name) { _ in }
    leave()
    signals.end()
    host.remove(self)
  }

  func attend() {
    if isOver { return }
    if host.link !== link {
      leave()
      if let link = host.link { join(link) }
    }
    if isAlarmed { requestName() }
    callers?.goOn()
    signals.resume()
  }

  // MARK: Connection

  private func join(_ link: BusLink) {
    self.link = link
    let callers = BusCallers(dispatcher, ledger, link: link, socket: socket, log: log)
    callers.wantsToGoOn = { [unowned self] in host.wake(self) }
    self.callers = callers
    do throws(Errno) {
      objects = try link.connection.serve(ObjectPath.root, isWholeTree: true) { [unowned self] call in take(call) }
    } catch {
      log.warning("signals cannot be put on the \(host.choice.name): \(error)")
    }
    requestName()
    let name = link.name(settings.name)
    self.name = name
    name.add(self)
  }

  private func leave() {
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

  /// Asks for the name; the bus keeps the wish where somebody else owns it.
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
    say(.warning, "the \(host.choice.name) does not let the daemon be \(settings.name), and is asked again: \(reason)")
    alarm = host.buses.alarms.schedule(after: Self.pause) { [unowned self] in
      isAlarmed = true
      host.wake(self)
    }
  }

  func ownerChanged() {
    guard let owner = name?.owner, let link else { return }
    if owner == link.connection.uniqueName {
      let count = signals.all.count
      say(.info, "on the \(host.choice.name) as \(settings.name), with \(count) signal\(count == 1 ? "" : "s")")
    } else {
      say(
        .warning,
        "\(settings.name) on the \(host.choice.name) belongs to another, \(owner); it is taken over when it is free")
    }
  }

  private func say(_ level: LogLevel, _ text: String) {
    if text == lastWord { return }
    lastWord = text
    log.write(level, text, [])
  }
}
