import GraphModel
import JSON
import Linux

/// A watch on some properties of an object.
///
/// Each connection and each owner of the name is a new start: all properties are read and delivered together, then the
/// ones that change. Each `PropertyGroup` takes care of the order of messages.
final class PropertyWatch: ServiceWatch, @unchecked Sendable {
  let properties: BusProperties
  private var groups: [PropertyGroup] = []
  /// True once the owner's values have been delivered.
  private(set) var hasAnnounced = false
  private var hasActivated = false
  private var poll: BusAlarm?
  private var isPollDue = false

  init(_ properties: BusProperties, host: BusHost, _ receive: @escaping (BusEvent) -> Void) {
    self.properties = properties
    super.init(host: host, receive)
    groups = properties.groups.map { PropertyGroup($0, of: self) }
    host.add(self)
    if let interval = properties.interval { setPoll(at: .now() + interval, interval) }
  }

  override var object: BusObject { properties.object }

  override func dispose() {
    poll?.cancel()
    super.dispose()
  }

  // MARK: Connection and owner

  override func attend() {
    super.attend()
    if isDisposed { return }
    for group in groups { group.attend() }
    if isPollDue { readAll() }
  }

  override func listen(on link: BusLink) {
    hasActivated = false
    for group in groups { group.listen(on: link, to: object) }
  }

  override func stopListening() { for group in groups { group.detach() } }

  override func ownerIsKnown() {
    hasAnnounced = false
    for group in groups { group.reset() }
    if owner == nil {
      reportGone()
      activate()
    } else {
      for group in groups { group.read() }
    }
  }

  /// Starts the service through the bus, once for each connection and at each interval.
  private func activate() {
    guard properties.activates, !hasActivated, let link else { return }
    hasActivated = true
    let service = properties.object.name
    let call = BusCall(
      { (connection) throws(BusCall.Failure) in
        try BusCall.message("StartServiceByName", of: "org.freedesktop.DBus", on: connection) {
          (message) throws(BusValueError) in
          try message.append(strings: service)
          try message.append(.integer(0), as: .uint32)
        }
      }, failed: { _ in }
    ) { [weak self] answer in
      if let error = answer.error { self?.refuse(SignalFailure(code: "bus", message: "\(service): \(error)")) }
    }
    link.reads.add(call)
  }

  // MARK: Intervals

  private func setPoll(at due: MonotonicInstant, _ interval: Duration) {
    poll = host.buses.alarms.schedule(at: due) { [unowned self] in
      isPollDue = true
      host.wake(self)
      // Missed intervals are skipped.
      setPoll(at: max(due + interval, .now()), interval)
    }
  }

  /// Reads everything, unless a read is in progress.
  private func readAll() {
    isPollDue = false
    if link == nil { return }
    if owner == nil {
      hasActivated = false
      if name?.isKnown == true { activate() }
    } else {
      for group in groups where !group.isReading { group.read() }
    }
  }

  /// Schedules `attend`.
  func wake() { host.wake(self) }

  var alarms: BusAlarms { host.buses.alarms }

  // MARK: Delivery

  /// Handles properties of a group that have been read or announced.
  func announce(_ changes: [Int], of group: PropertyGroup) {
    if isDisposed { return }
    if hasAnnounced { return report([(group, changes)]) }
    guard owner != nil, groups.allSatisfy(\.isSettled) else { return }
    hasAnnounced = true
    report(groups.map { ($0, Array($0.values.indices)) })
  }

  private func report(_ changes: [(group: PropertyGroup, indices: [Int])]) {
    var values: [String: JSONValue] = [:]
    var failures: [SignalFailure] = []
    for (group, indices) in changes {
      for index in indices {
        guard let value = group.values[index] else { continue }
        do throws(SignalFailure) {
          values[group.names[index]] = try JSONValue(value, bytes: properties.bytes)
        } catch {
          failures.append(error.about(group.names[index]))
        }
      }
    }
    if !values.isEmpty {
      isGone = false
      receive(.properties(values))
    }
    for failure in failures { refuse(failure) }
  }

  /// Warns of a property that does not announce its changes and is not polled.
  func warn(ofSilent names: Set<String>, in group: PropertyGroup) {
    for name in group.names where names.contains(name) {
      host.buses.warn(
        once: "\(properties.object.name): the property \(group.interface).\(name) does not announce its changes: "
          + "set “every” to read it again")
    }
  }
}

extension SignalFailure {
  /// Returns the failure with its subject in front of the message.
  func about(_ subject: String) -> SignalFailure { SignalFailure(code: code, message: "\(subject): \(message)") }
}
