/// The readiness of a descriptor, with the common bits of `poll(2)` and `epoll(7)`.
package struct Readiness: OptionSet, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package static var readable: Readiness { Readiness(rawValue: 0x1) }
  package static var writable: Readiness { Readiness(rawValue: 0x4) }
  package static var failed: Readiness { Readiness(rawValue: 0x8) }
  /// Both directions are closed.
  package static var hungUp: Readiness { Readiness(rawValue: 0x10) }
  /// Edge-triggered: each change is reported once (`EPOLLET`); only for `Poller`.
  package static var once: Readiness { Readiness(rawValue: 0x8000_0000) }
  /// The peer has shut down its writing side; reported only on request.
  package static var peerShutDown: Readiness { Readiness(rawValue: 0x2000) }
}

// The loop calls these in every iteration. The standard library's versions are generic, and another module calls them
// unspecialized: that took half of the daemon's own time for a delivery.
extension Readiness {
  package init() { self.init(rawValue: 0) }

  package static func == (one: Readiness, other: Readiness) -> Bool { one.rawValue == other.rawValue }

  package func contains(_ other: Readiness) -> Bool { rawValue & other.rawValue == other.rawValue }

  package mutating func insert(_ other: Readiness) { self = Readiness(rawValue: rawValue | other.rawValue) }

  package var isEmpty: Bool { rawValue == 0 }
}
