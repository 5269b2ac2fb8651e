import Glibc
package import Linux
package import TestSupport

/// A private message bus for a test, which can be killed and restarted at its address.
package final class PrivateBus {
  package let folder = TemporaryFolder()
  private var process: ChildProcess

  package var address: BusAddress {
    guard let address = BusAddress(text) else { fatalError("no address: \(text)") }
    return address
  }

  /// Its address in the notation of configurations.
  package var text: String { "unix:path=\(folder("bus"))" }

  /// - Parameters:
  ///   - activated: Names of services that the bus can start, with their commands.
  ///   - rules: The maximum number of match rules per connection.
  package init(activated: [String: String] = [:], rules: Int = 20000) throws {
    mkdir(folder("services"), 0o700)
    for (name, command) in activated {
      let lines = "[D-BUS Service]\nName=\(name)\nExec=\(command)\n"
      try RegularFile.write([UInt8](lines.utf8), to: folder("services/\(name).service"))
    }
    try RegularFile.write([UInt8](Self.configuration(in: folder, rules).utf8), to: folder("bus.conf"))
    process = try Self.start(folder)
  }

  package func kill() { process.kill() }

  /// Stops the bus process with SIGSTOP until it is continued.
  package func halt() { process.signal(SIGSTOP) }
  package func proceed() { process.signal(SIGCONT) }

  package func startAgain() throws { process = try Self.start(folder) }

  /// Starts it, and waits until it listens.
  private static func start(_ folder: TemporaryFolder) throws -> ChildProcess {
    let program = try ProgramFile.path(of: "dbus-daemon")
    let process = try ChildProcess(
      [program, "--config-file=\(folder("bus.conf"))", "--nofork", "--nopidfile", "--nosyslog", "--print-address=1"],
      environment: [], input: [])
    var ready = pollfd(fd: process.output.number, events: Int16(POLLIN), revents: 0)
    guard Glibc.poll(&ready, 1, 20_000) == 1, try process.output.transfer.read(upTo: 4096)?.isEmpty == false else {
      let errors = try process.errors.transfer.read(upTo: 4096) ?? []
      fatalError("the bus failed to start: \(String(decoding: errors, as: UTF8.self))")
    }
    return process
  }

  private static func configuration(in folder: TemporaryFolder, _ rules: Int) -> String {
    """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>session</type>
      <listen>unix:path=\(folder("bus"))</listen>
      <auth>EXTERNAL</auth>
      <servicedir>\(folder("services"))</servicedir>
      <policy context="default">
        <allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/>
        <allow own="*"/>
      </policy>
      <limit name="max_match_rules_per_connection">\(rules)</limit>
      <limit name="max_replies_per_connection">128</limit>
    </busconfig>
    """
  }
}
