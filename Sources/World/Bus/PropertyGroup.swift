import GraphModel
import Linux

/// Some properties of one interface of an object, as far as they are known.
///
/// They converge to what `Get` returns, if the service announces its changes. Announcements arrive in the order of the
/// bus, but a read that is in progress may have been answered before a change that is delivered before the answer. A
/// property announced during a read is therefore not overwritten by it, but read again where it differs.
final class PropertyGroup {
  private static let delays = (first: Duration.seconds(1), longest: Duration.seconds(60))
  private static let timeout = Duration.seconds(25)

  let interface: String
  let names: [String]
  /// The values that were delivered last, or are about to be.
  private(set) var values: [BusValue?]
  private unowned let watch: PropertyWatch
  private var match: SharedMatch?
  private var reading: BusCall?
  private var began = MonotonicInstant(nanoseconds: 0)
  /// The properties announced during the read.
  private var overtaken: Set<Int> = []
  private var mustReadAgain = false
  /// Properties announced beside one that is still to be read: one message makes one value, so they are delivered with
  /// the answer of the read in progress, or of the next one.
  private var withheld: (now: Set<Int>, next: Set<Int>) = ([], [])
  /// True once they have been read, or cannot be.
  private(set) var isSettled = false
  private var hasFailed = false
  /// The reasons for missing values, by index, so that a repeated read reports each once; -1 for all.
  private var refusals: [Int: String] = [:]
  private var retry: Retry?

  /// A retry of the read after a delay; most groups never need one.
  private final class Retry {
    let alarm: BusAlarm
    let delay: Duration

    init(_ alarm: BusAlarm, after delay: Duration) { (self.alarm, self.delay) = (alarm, delay) }
  }

  init(_ group: BusProperties.Group, of watch: PropertyWatch) {
    interface = group.interface
    names = group.properties
    values = Array(repeating: nil, count: names.count)
    self.watch = watch
  }

  var isReading: Bool { reading != nil }

  func listen(on link: BusLink, to object: BusObject) {
    match = link.announcementMatch(of: object, interface)
    match?.add(self)
  }

  func detach() {
    match?.remove(self)
    match = nil
    reset()
  }

  /// Resets all values to unknown.
  func reset() {
    reading?.cancel()
    reading = nil
    retry?.alarm.cancel()
    retry = nil
    mustReadAgain = false
    withheld = ([], [])
    isSettled = false
    hasFailed = false
    refusals = [:]
    for index in values.indices { values[index] = nil }
  }

  // MARK: Reading

  /// Reads all properties, or reads again once the read in progress has been answered.
  func read() {
    if isReading {
      mustReadAgain = true
      return
    }
    guard let link = watch.link, let owner = watch.owner else { return }
    overtaken = []
    began = .now()
    let (path, interface, name) = (watch.properties.object.path, interface, names.count == 1 ? names[0] : nil)
    let activates = watch.properties.activates
    let call = BusCall(
      timeout: Self.timeout,
      { (connection) throws(BusCall.Failure) in
        try BusCall.message(
          name == nil ? "GetAll" : "Get", of: "org.freedesktop.DBus.Properties", at: path, owner, on: connection,
          activates: activates
        ) { (message) throws(BusValueError) in
          try message.append(.string(interface), as: .string)
          if let name { try message.append(.string(name), as: .string) }
        }
      }, failed: { [unowned self] failure in unreadable("\(failure)") }
    ) { [unowned self] answer in take(answer) }
    reading = call
    link.reads.add(call)
  }

  private func take(_ answer: borrowing BusMessage) {
    reading = nil
    if let error = answer.error { return take(error) }
    var changes: [Int] = []
    var present: Set<Int> = []
    do throws(BusValueError) {
      if names.count == 1 {
        guard answer.has(signature: "v") else { throw .malformed }
        present = [0]
        take(0, try answer.value(), &changes)
      } else {
        guard answer.has(signature: "a{sv}") else { throw .malformed }
        try answer.properties(names) { index, result in
          present.insert(index)
          switch result {
          case .success(let value): take(index, value, &changes)
          case .failure(let error): refuse("\(error)", of: index)
          }
        }
      }
    } catch {
      let finding = "invalid value from the service: \(error)"
      if present.isEmpty {
        refuse(finding, of: -1)
        return fail(changes)
      }
      // Nothing behind it can be read.
      for index in names.indices where names.count == 1 || !present.contains(index) { refuse(finding, of: index) }
      present = Set(names.indices)
    }
    for index in names.indices where !present.contains(index) {
      refuse("no such property of \(interface)", of: index)
    }
    retry?.alarm.cancel()
    retry = nil
    hasFailed = false
    refusals[-1] = nil
    settle(changes)
    if watch.properties.interval == nil { askForAnnouncements() }
  }

  private func take(_ index: Int, _ value: BusValue, _ changes: inout [Int]) {
    refusals[index] = nil
    if values[index] == value { return }
    if overtaken.contains(index) {
      mustReadAgain = true
    } else {
      values[index] = value
      changes.append(index)
    }
  }

  private func settle(_ changes: [Int]) {
    isSettled = true
    let changes = changes + withheld.now.subtracting(changes)
    withheld = (withheld.next, [])
    if !changes.isEmpty || !watch.hasAnnounced { watch.announce(changes, of: self) }
    if mustReadAgain {
      mustReadAgain = false
      read()
    }
  }

  private func take(_ error: BusError) {
    // When the owner disappears, the bus reports it separately.
    if error.isPassing && .now() - began < Self.timeout { return readLater() }
    guard !error.isPassing, names.count == 1, let link = watch.link, let owner = watch.owner else {
      return refuseReading(error)
    }
    // A write-only property is not a failure.
    link.announcements(of: watch.properties.object, interface) { [weak watch, weak self] exceptions in
      guard let self, let watch, watch.owner == owner, !isReading else { return }
      if exceptions.unreadable.contains(names[0]) { settle([]) } else { refuseReading(error) }
    }
  }

  private func refuseReading(_ error: BusError) {
    refuse("\(error)", of: -1, code: "bus")
    fail([])
  }

  /// A service that fails to answer now may succeed later.
  private func fail(_ changes: [Int]) {
    hasFailed = true
    readLater()
    settle(changes)
  }

  private func unreadable(_ reason: String) {
    reading = nil
    refuse(reason, of: -1, code: "bus")
    readLater()
  }

  private func readLater() {
    // Known values are not withheld until the service can return the rest.
    let known = Array(withheld.now.union(withheld.next))
    withheld = ([], [])
    if !known.isEmpty && watch.hasAnnounced { watch.announce(known, of: self) }
    let delay = retry.map { min($0.delay * 2, Self.delays.longest) } ?? Self.delays.first
    retry = Retry(watch.alarms.schedule(after: delay) { [unowned self] in watch.wake() }, after: delay)
  }

  /// Retries a failed read when it is due.
  func attend() {
    if let retry, !retry.alarm.isWaiting, !isReading, watch.owner != nil { read() }
  }

  /// Reports the reason for a missing value, unless it has been reported.
  private func refuse(_ reason: String, of index: Int, code: String = "bad_value") {
    if refusals.updateValue(reason, forKey: index) == reason { return }
    let subject = index < 0 ? names.joined(separator: ", ") : names[index]
    watch.refuse(SignalFailure(code: code, message: "\(subject): \(reason)"))
  }

  private func askForAnnouncements() {
    watch.link?.announcements(of: watch.properties.object, interface) { [weak watch, weak self] exceptions in
      if let self { watch?.warn(ofSilent: exceptions.silent, in: self) }
    }
  }
}

// MARK: - Announcements

extension PropertyGroup: MatchListener {
  func handle(_ message: borrowing BusMessage) {
    guard let owner = watch.owner, message.isFrom(owner) else { return }
    var changes: [Int] = []
    var isInvalid = false
    do throws(BusValueError) {
      guard message.has(signature: "sa{sv}as") else { throw .malformed }
      _ = try message.string()
      try message.properties(names) { index, result in
        switch result {
        case .success(let value):
          values[index] = value
          refusals[index] = nil
          changes.append(index)
          if isReading { overtaken.insert(index) }
        case .failure(let error):
          refuse(announced: "\(error)", of: names[index])
        }
      }
      if case .list(let invalid) = try message.value() {
        isInvalid = names.contains { invalid.contains(.string($0)) }
      }
    } catch {
      refuse(announced: "\(error)", of: names.joined(separator: ", "))
      isInvalid = true
    }
    report(announced: changes, besideInvalid: isInvalid)
    if isInvalid || hasFailed, watch.owner != nil { read() }
  }

  private func report(announced changes: [Int], besideInvalid isInvalid: Bool) {
    guard watch.hasAnnounced, watch.owner != nil, !changes.isEmpty else { return }
    if isInvalid && isReading {
      // The read may have been answered before the change.
      withheld.next.formUnion(changes)
    } else if isInvalid || !withheld.now.isEmpty {
      // After a withheld announcement the others wait too, so that no value is replaced by an older one.
      withheld.now.formUnion(changes)
    } else {
      watch.announce(changes, of: self)
    }
  }

  /// Reports each announcement that cannot be converted to a value.
  private func refuse(announced reason: String, of subject: String) {
    watch.refuse(SignalFailure(code: "bad_value", message: "\(subject): invalid announced value: \(reason)"))
  }

  func matchTaken() { if watch.owner != nil { read() } }

  func matchFailed(_ reason: String) {
    refuse("cannot follow changes: \(reason)", of: -1, code: "bus")
  }
}
