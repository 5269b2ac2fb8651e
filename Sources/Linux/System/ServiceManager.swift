import CSystemd
import Glibc

/// The service manager that started this process, if one did.
package enum ServiceManager {
  /// A socket that was handed over.
  package struct InheritedDescriptor: Equatable, Sendable {
    /// The name of `FileDescriptorName=`, by default the name of the socket unit.
    package let name: String
    package let number: Int32
  }

  /// The descriptors that were handed over (`sd_listen_fds_with_names(3)`), to be asked for once.
  ///
  /// The variables are removed, so that programs started later do not take them for theirs.
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

  /// The number of the first descriptor that is handed over (`SD_LISTEN_FDS_START`).
  private static let listenStart: Int32 = 3

  /// Whether a descriptor is a Unix stream socket that listens (`sd_is_socket_unix(3)`).
  package static func isListeningUnixSocket(_ number: Int32) -> Bool {
    sd_is_socket_unix(number, Int32(SOCK_STREAM.rawValue), 1, nil, 0) > 0
  }

  /// Messages for the service manager (`sd_notify(3)`); without one nothing happens.
  package enum State: Sendable {
    case ready
    case reloading
    case stopping
    /// Asks for more time to start or end.
    case extendTimeout(Duration)
    /// One line for people, shown by `systemctl status`.
    case status(String)
  }

  package static func notify(_ states: State...) {
    sd_notify(0, states.map(\.line).joined(separator: "\n"))
  }

  // MARK: The descriptor store

  /// Whether there is one to notify.
  package static var isThere: Bool { CurrentProcess.environment("NOTIFY_SOCKET") != nil }

  /// Has a copy of a descriptor kept for the next process of this service (`FileDescriptorStoreMax=`), and waits until
  /// the service manager has looked at it.
  ///
  /// Whether it took it cannot be told from this: one that may keep none says nothing.
  ///
  /// - Parameter name: The name under which it comes back.
  package static func store(_ descriptor: borrowing OwnedDescriptor, name: String) throws(Errno) {
    var numbers = [descriptor.number]
    // Polled, it would be let go of as soon as its other end is closed, with what is still to be read.
    try checked(
      sd_pid_notify_with_fds(0, 0, "FDSTORE=1\nFDNAME=\(name)\nFDPOLL=0", &numbers, 1), "sd_pid_notify_with_fds")
    try checked(sd_notify_barrier(0, 2_000_000), "sd_notify_barrier")
  }

  /// Has it let go of what it keeps under a name.
  package static func forget(stored name: String) { sd_notify(0, "FDSTOREREMOVE=1\nFDNAME=\(name)") }
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
