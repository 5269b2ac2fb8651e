import Base
import Glibc
package import GraphModel
import Linux

/// One bus, shared by all its users.
///
/// Its connection is opened for the first user and reopened as long as there are users; without users it is closed
/// after a delay. All work on it is done in slices (`CooperativeTasks`), so that clients are served beside the busiest
/// bus; a user requests a slice of its own with `wake`.
package final class BusHost: CooperativeTask {
  /// The time that an unused connection stays open.
  static let linger = Duration.seconds(1)
  private static let delays = (first: Duration.milliseconds(100), longest: Duration.seconds(30))
  /// The number of messages and users in a slice.
  private static let piece = 8

  package let choice: BusChoice
  package unowned let buses: SystemBuses
  package var isWaiting = false
  private var users = BusUsers()
  private var called = FirstInFirstOut<any BusUser>()
  private var connection: BusConnection?
  /// The connection and what users share of it, once it is ready.
  package private(set) var link: BusLink?
  /// True while the last attempt to connect has failed, or the connection has ended since.
  private(set) var isAway = false
  private var delay = delays.first
  private var readySince: MonotonicInstant?
  /// Fires when a connection is to be retried, has not become ready in time, or is no longer needed.
  private var alarm: BusAlarm?
  /// Fires at or before the connection's deadline.
  private var overdue: BusAlarm?
  /// True once an alarm has fired.
  private var isAlarmed = false

  init(_ choice: BusChoice, buses: SystemBuses) {
    self.choice = choice
    self.buses = buses
  }

  /// True while it has a connection.
  var isOpen: Bool { connection != nil }

  // MARK: Users

  /// Adds a user and wakes it.
  package func add(_ user: any BusUser) {
    users.add(user)
    if connection != nil && users.count == 1 && link != nil { cancelAlarm() }
    wake(user)
  }

  /// Removes a user.
  package func remove(_ user: any BusUser) {
    users.remove(user)
    // Its cleanup may have produced output.
    buses.work.add(self)
  }

  /// Schedules a user's `attend`.
  package func wake(_ user: any BusUser) {
    called.append(user)
    buses.work.add(self)
  }

  /// Schedules a slice for output that was produced between slices and has not been written.
  package func settleLater() {
    if connection?.hasUnwritten == true { buses.work.add(self) }
  }

  // MARK: Slices

  package func runSlice() -> Bool {
    if isAlarmed { alarmRang() }
    if connection == nil && alarm == nil && !users.isEmpty { open() }
    attendToUsers()
    let hasMore = process()
    settle()
    return hasMore || !called.isEmpty && connection?.isBackedUp != true
  }

  private func attendToUsers() {
    for _ in 0..<Self.piece {
      // The users continue once the socket accepts more.
      if connection?.isBackedUp == true { return }
      guard let user = called.popFirst() else { return }
      if users.contains(user) { user.attend() }
    }
  }

  /// Processes some messages; returns `true` if there are more.
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
    if isAway { buses.log.notice("reconnected to the \(choice.name)") }
    isAway = false
    callAll()
  }

  /// Arms the poller and the timers for the connection.
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

  /// Handles a connection that has ended or failed: retries, with a growing delay.
  private func lose(_ error: Errno) {
    drop()
    if !isAway { buses.log.warning("lost the connection to the \(choice.name), retrying: \(error)") }
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

  /// Closes the connection at once, without notifying users.
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

  /// The name of the bus for messages.
  package var name: String {
    switch self {
    case .system: "system bus"
    case .session: "session bus"
    case .address(let text): "bus at \(text)"
    }
  }
}
