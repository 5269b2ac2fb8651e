import CSystemd
import Glibc

/// The service manager that started this process, if any.
package enum ServiceManager {
  /// An inherited socket.
  package struct InheritedDescriptor: Equatable, Sendable {
    /// The name from `FileDescriptorName=`, by default that of the socket unit.
    package let name: String
    package let number: Int32
  }

  /// Returns the inherited descriptors (`sd_listen_fds_with_names(3)`); called once.
  ///
  /// The environment variables are removed, so that child processes do not interpret them.
  package static func takeDescriptors() throws(Errno) -> [InheritedDescriptor] {
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = sd_listen_fds_with_names(1, &names)
    if count < 0 { throw Errno(-count, call: "sd_listen_fds_with_names") }
    defer { free(names) }
    return (0..<count).map { index in
      let name = names?[Int(index)]
      defer { free(name) }
      return InheritedDescriptor(name: name.map { String(cString: $0) } ?? "", number: listenStart + index)
    }
  }

  /// The number of the first inherited descriptor (`SD_LISTEN_FDS_START`).
  private static let listenStart: Int32 = 3

  /// Recognizes a listening Unix stream socket (`sd_is_socket_unix(3)`).
  package static func isListeningUnixSocket(_ number: Int32) -> Bool {
    sd_is_socket_unix(number, Int32(SOCK_STREAM.rawValue), 1, nil, 0) > 0
  }

  /// A notification of the service manager (`sd_notify(3)`); ignored without one.
  package enum State: Sendable {
    case ready
    case reloading
    case stopping
    /// Requests more time to start or stop.
    case extendTimeout(Duration)
    /// One line of text, shown by `systemctl status`.
    case status(String)
  }

  package static func notify(_ states: State...) {
    sd_notify(0, states.map(\.line).joined(separator: "\n"))
  }

  // MARK: The descriptor store

  /// True if there is a service manager to notify.
  package static var isThere: Bool { CurrentProcess.environment("NOTIFY_SOCKET") != nil }

  /// Stores a copy of a descriptor for the next process of this service (`FileDescriptorStoreMax=`), and waits until
  /// the service manager has processed the request.
  ///
  /// Success cannot be verified: a service manager without a store reports no error.
  ///
  /// - Parameter name: The name that identifies it to the next process.
  package static func store(_ descriptor: borrowing OwnedDescriptor, name: String) throws(Errno) {
    var numbers = [descriptor.number]
    // With polling, it would be removed as soon as its other end is closed, with unread data.
    try checked(
      sd_pid_notify_with_fds(0, 0, "FDSTORE=1\nFDNAME=\(name)\nFDPOLL=0", &numbers, 1), "sd_pid_notify_with_fds")
    try checked(sd_notify_barrier(0, 2_000_000), "sd_notify_barrier")
  }

  /// Removes stored descriptors by name.
  package static func remove(stored name: String) { sd_notify(0, "FDSTOREREMOVE=1\nFDNAME=\(name)") }
}

extension ServiceManager.State {
  fileprivate var line: String {
    switch self {
    case .ready: "READY=1"
    case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(MonotonicInstant.now().nanoseconds / 1000)"
    case .stopping: "STOPPING=1"
    case .extendTimeout(let time): "EXTEND_TIMEOUT_USEC=\(Int64(time / .microseconds(1)))"
    case .status(let text): "STATUS=\(text.split(whereSeparator: \.isNewline).joined(separator: " "))"
    }
  }
}
