import Linux
import SignalGraph

/// The properties of an interface of a service that do not announce their changes, as far as the service says so.
///
/// It is asked once for each owner's objects of one kind, and only on behalf of properties that are not read at
/// intervals: a description may be long.
final class Announcements {
  /// A longer description is not looked into.
  private static let limits = BusLimits(bytes: 1 << 20)

  private var silent: Set<String>?
  private var waiting: [(Set<String>) -> Void] = []

  fileprivate func tell(_ receive: @escaping (Set<String>) -> Void) {
    if let silent { receive(silent) } else { waiting.append(receive) }
  }

  fileprivate func take(_ answer: borrowing BusMessage, _ interface: String) {
    var found: Set<String> = []
    if answer.error == nil, case .string(let text)? = try? answer.value(within: Self.limits) {
      found = Set(Introspection(text).properties(of: interface).filter { $0.announcement == .never }.map(\.name))
    }
    silent = found
    let waiting = waiting
    self.waiting = []
    for receive in waiting { receive(found) }
  }
}

extension BusLink {
  /// Tells which properties of an interface do not announce their changes.
  func announcements(
    of object: BusObject, _ interface: String, _ receive: @escaping (Set<String>) -> Void
  ) {
    let key = "\(object.name) \(interface)"
    if let known = announcements[key] { return known.tell(receive) }
    let asked = Announcements()
    announcements[key] = asked
    asked.tell(receive)
    reads.add(
      BusCall(
        { (connection) throws(BusCall.Failure) in
          try BusCall.message(
            "Introspect", of: "org.freedesktop.DBus.Introspectable", at: object.path, object.name, on: connection)
        }, failed: { _ in }
      ) { answer in asked.take(answer, interface) })
  }
}
