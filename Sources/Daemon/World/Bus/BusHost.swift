import Glibc
import Linux
import Queues
import SignalGraph

/// One bus, for all who need it.
///
/// Its connection is opened when there is somebody, and opened again until there is nobody; then it is closed after
/// a while. All that is done with it is done in pieces (`Piecework`), so that clients are served beside the busiest
/// bus; who wants something of it has itself called for that (`wake`).
final class BusHost: Pieceworker {
  /// How long a connection stays open that nobody needs.
  static let linger = Duration.seconds(1)
  private static let delays = (first: Duration.milliseconds(100), longest: Duration.seconds(30))
  /// How many messages and users make a piece.
  private static let piece = 8

  let choice: BusChoice
  unowned let buses: SystemBuses
  var isWaiting = false
  private var users = BusUsers()
  private var called = FirstInFirstOut<any BusUser>()
  private var connection: BusConnection?
  /// The connection with what users share, once it is ready.
  private(set) var link: BusLink?
  /// Whether the last attempt to connect has failed, or the connection has ended since.
  private(set) var isAway = false
  private var delay = delays.first
  private var readySince: MonotonicInstant?
  /// Rings when a connection is to be tried again, has not become ready in time, or is not needed any more.
  private var alarm: BusAlarm?
  /// Rings at the connection's deadline, or before it.
  private var overdue: BusAlarm?
  /// Whether the time of an alarm has come.
  private var isAlarmed = false

  init(_ choice: BusChoice, buses: SystemBuses) {
    self.choice = choice
    self.buses = buses
  }

  /// Whether it holds a connection.
  var isOpen: Bool { connection != nil }

  // MARK: Users

  /// Takes in somebody who needs the bus, and calls them.
  func add(_ user: any BusUser) {
    users.add(user)
    if connection != nil && users.count == 1 && link != nil { cancelAlarm() }
    wake(user)
  }

  /// Somebody needs it no more.
  func remove(_ user: any BusUser) {
    users.remove(user)
    // What they have let go of may have left something to be written.
    buses.work.add(self)
  }

  /// Calls somebody as soon as it is their turn.
  func wake(_ user: any BusUser) {
    called.append(user)
    buses.work.add(self)
  }

  /// Sees to what was written between pieces and did not leave at once.
  func settleLater() {
    if connection?.hasUnwritten == true { buses.work.add(self) }
  }

  // MARK: Pieces

  func doPiece() -> Bool {
    if isAlarmed { alarmRang() }
    if connection == nil && alarm == nil && !users.isEmpty { open() }
    attendToUsers()
    let hasMore = process()
    settle()
    return hasMore || !called.isEmpty && connection?.isBackedUp != true
  }

  private func attendToUsers() {
    for _ in 0..<Self.piece {
      // They come when the socket has taken more.
      if connection?.isBackedUp == true { return }
      guard let user = called.popFirst() else { return }
      if users.contains(user) { user.attend() }
    }
  }

  /// Processes some messages; whether there are more.
  private func process() -> Bool {
    guard let connection else { return false }
    do throws(Errno) {
      for _ in 0..<Self.piece {
        if try !connection.process() {
          welcome(connection)
          return false
        }
        welcome(connection)
      }
      return true
    } catch {
      lose(error)
      return false
    }
  }

  private func welcome(_ connection: BusConnection) {
    if link != nil || !connection.isReady { return }
    cancelAlarm()
    link = BusLink(connection, host: self)
    readySince = .now()
    if isAway { buses.log.notice("the \(choice.name) is there again") }
    isAway = false
    callAll()
  }

  /// Has the loop wait for what the connection waits for.
  private func settle() {
    guard let connection else { return }
    if users.isEmpty && alarm == nil { setAlarm(after: Self.linger) }
    do throws(Errno) { try connection.arm() } catch { return lose(error) }
    guard let deadline = connection.deadline else { return }
    if let overdue, overdue.isWaiting, overdue.due <= deadline { return }
    overdue?.cancel()
    overdue = buses.alarms.schedule(at: deadline) { [unowned self] in buses.work.add(self) }
  }

  private func callAll() {
    called = FirstInFirstOut()
    for user in users.all { called.append(user) }
    buses.work.add(self)
  }

  // MARK: Connection

  private func open() {
    do throws(Errno) {
      guard let address = choice.address else { throw Errno(EADDRNOTAVAIL, call: "connect", subject: choice.name) }
      connection = try BusConnection(to: address, poller: buses.poller) { [unowned self] in buses.work.add(self) }
      setAlarm(after: buses.patience)
    } catch {
      lose(error)
    }
  }

  /// The connection has ended, or there was none to be had: it is tried again, later each time.
  private func lose(_ error: Errno) {
    drop()
    if !isAway { buses.log.warning("the \(choice.name) is away, and tried again: \(error)") }
    isAway = true
    if let readySince, .now() - readySince > Self.delays.longest { delay = Self.delays.first }
    readySince = nil
    setAlarm(after: delay)
    delay = min(delay * 2, Self.delays.longest)
    callAll()
  }

  private func drop() {
    cancelAlarm()
    overdue?.cancel()
    overdue = nil
    link?.end()
    link = nil
    connection?.close()
    connection = nil
  }

  /// Closes it at once, and calls nobody.
  func close() {
    users = BusUsers()
    called = FirstInFirstOut()
    drop()
  }

  // MARK: Alarm

  private func setAlarm(after delay: Duration) {
    cancelAlarm()
    alarm = buses.alarms.schedule(after: delay) { [unowned self] in
      isAlarmed = true
      buses.work.add(self)
    }
  }

  private func cancelAlarm() {
    alarm?.cancel()
    alarm = nil
    isAlarmed = false
  }

  private func alarmRang() {
    cancelAlarm()
    if connection == nil { return }
    if link == nil {
      lose(Errno(ETIMEDOUT, call: "connect", subject: choice.name))
    } else if users.isEmpty {
      drop()
      delay = Self.delays.first
    }
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

  /// The bus, for people.
  var name: String {
    switch self {
    case .system: "system bus"
    case .session: "session bus"
    case .address(let text): "bus at \(text)"
    }
  }
}
