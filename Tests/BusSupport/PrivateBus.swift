import Glibc
package import Linux
package import TestSupport

/// A message bus of a test's own, which can be killed and started again at the same address.
package final class PrivateBus {
  package let folder = TemporaryFolder()
  private var process: ChildProcess

  package var address: BusAddress {
    guard let address = BusAddress(text) else { fatalError("no address: \(text)") }
    return address
  }

  /// Its address as configurations have it.
  package var text: String { "unix:path=\(folder("bus"))" }

  /// - Parameters:
  ///   - activated: Names of services that the bus can start, with the commands for that.
  ///   - rules: How many a connection may have for what it is sent.
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

  /// Has it take in and answer nothing, until it goes on.
  package func halt() { process.signal(SIGSTOP) }
  package func goOn() { process.signal(SIGCONT) }

  package func startAgain() throws { process = try Self.start(folder) }

  /// Starts it, and waits until it says that it listens.
  private static func start(_ folder: TemporaryFolder) throws -> ChildProcess {
    let program = try ProgramFile.path(of: "dbus-daemon")
    let process = try ChildProcess(
      [program, "--config-file=\(folder("bus.conf"))", "--nofork", "--nopidfile", "--nosyslog", "--print-address=1"],
      environment: [], input: [])
    var ready = pollfd(fd: process.output.number, events: Int16(POLLIN), revents: 0)
    guard Glibc.poll(&ready, 1, 20_000) == 1, try process.output.transfer.read(upTo: 4096)?.isEmpty == false else {
      let errors = try process.errors.transfer.read(upTo: 4096) ?? []
      fatalError("the bus does not start: \(String(decoding: errors, as: UTF8.self))")
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
