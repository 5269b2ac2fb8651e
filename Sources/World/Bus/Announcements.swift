import GraphModel
import Linux

/// The properties of a service's interface that do not announce their changes, and the write-only ones, according to
/// its introspection data.
///
/// They are requested once for each owner's objects of one kind, and only on behalf of properties that are not polled
/// or cannot be read: a description may be long.
final class Announcements {
  /// The names of properties.
  struct Exceptions {
    var silent: Set<String> = []
    var unreadable: Set<String> = []
  }

  /// A longer description is ignored.
  private static let limits = BusLimits(bytes: 1 << 20)

  private var known: Exceptions?
  private var waiting: [(Exceptions) -> Void] = []

  fileprivate func report(_ receive: @escaping (Exceptions) -> Void) {
    if let known { receive(known) } else { waiting.append(receive) }
  }

  fileprivate func take(_ answer: borrowing BusMessage, _ interface: String) {
    var found = Exceptions()
    if answer.error == nil, case .string(let text)? = try? answer.value(within: Self.limits) {
      let properties = Introspection(text).interface(interface)?.properties ?? []
      found.silent = Set(properties.filter { $0.announcement == .never }.map(\.name))
      found.unreadable = Set(properties.filter { !$0.isReadable }.map(\.name))
    }
    know(found)
  }

  fileprivate func know(_ found: Exceptions) {
    known = found
    let waiting = waiting
    self.waiting = []
    for receive in waiting { receive(found) }
  }
}

extension BusLink {
  /// Reports the properties of an interface that do not announce their changes, or cannot be read.
  func announcements(
    of object: BusObject, _ interface: String, _ receive: @escaping (Announcements.Exceptions) -> Void
  ) {
    let key = "\(object.name) \(interface)"
    if let known = announcements[key] { return known.report(receive) }
    let asked = Announcements()
    announcements[key] = asked
    asked.report(receive)
    reads.add(
      BusCall(
        { (connection) throws(BusCall.Failure) in
          try BusCall.message(
            "Introspect", of: Introspection.interface, at: object.path, object.name, on: connection)
        }, failed: { _ in asked.know(Announcements.Exceptions()) }
      ) { answer in asked.take(answer, interface) })
  }
}
