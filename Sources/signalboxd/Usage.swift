import Daemon
import Linux
import WireProtocol

/// The command line of the daemon, and its help texts.
enum Usage {
  static let configuration = "/etc/signalbox/signalbox.yaml"

  /// Makes values of all inputs of expressions, for comparison with reading their text.
  static let withoutText = "no-fusion"

  static let program = OptionProgram(
    "signalboxd", version: programVersionText,
    synopsis: "signalboxd [--config PATH] [--socket PATH]",
    summary: "host signal graphs behind a Unix socket",
    introduction: "Host signal graphs declared in YAML; serve JSON lines on a Unix socket.",
    description:
      """
      signalboxd runs the graphs of signals that signalbox.yaml(5) declares. Clients feed and follow them through a \
      Unix socket, in lines of JSON; signalbox(1) is one such client.

      It stays in the foreground. Run by systemd(1), it reports readiness, adopts a socket passed to it, \
      and writes its log to the journal; else the log goes to standard error.
      """,
    options: [
      CommandOption("config", letter: "c", argument: "PATH", "the configuration (default \(configuration))"),
      CommandOption("socket", letter: "s", argument: "PATH", "listen on this socket, overriding the configuration"),
      CommandOption("check", "check the configuration and exit"),
      CommandOption(
        SuccessorProgram.option, argument: "VERSION",
        "exit with 0 if this program can resume handover state of this version"),
    ],
    hiddenOptions: [CommandOption(withoutText, "make values of all inputs of expressions")],
    sections: sections)

  /// Appends to the manual page what follows its options.
  @Sendable private static func sections(_ page: inout ManualPage) {
    page.section("SIGNALS")
    page.items(signals)
    page.section("ENVIRONMENT")
    page.items(environment)
    page.section("FILES")
    page.item(configuration, "The configuration, and conf.d beside it.")
    page.item(SocketPath.ofDaemon, "The default socket.")
    page.section("EXIT STATUS")
    page.items(statuses)
    page.section("SEE ALSO")
    page.paragraph("signalbox(1), signalbox.yaml(5), systemd.socket(5)")
  }

  private static let signals = [
    (word: "SIGTERM, SIGINT", meaning: "Notify subscribers, flush queued events, and exit."),
    (
      word: "SIGHUP",
      meaning: "Reload the configuration; errors go to the log, and the old one stays active. "
        + "signalbox reload does the same and waits for the result."
    ),
    (
      word: "SIGUSR2",
      meaning: "Hand over to the program now on disk, with all clients and all state; it is "
        + "checked first, and if it cannot resume, this process continues."
    ),
    (
      word: "SIGUSR1",
      meaning: "Store all clients and all state with the service manager and exit; the next process resumes; "
        + "without a descriptor store, exit as after SIGTERM. The unit sets it as RestartKillSignal=."
    ),
  ]

  private static let environment = [
    (word: "LISTEN_FDS, LISTEN_PID", meaning: "A listening socket from the service manager."),
    (word: "NOTIFY_SOCKET, WATCHDOG_USEC", meaning: "The notification socket of the service manager."),
    (
      word: PrivateDaemon.variable,
      meaning:
        "A folder for the socket and the state, whatever the configuration sets; only this user can connect, and "
        + "named users and groups need not exist. signalbox dev sets it."
    ),
    (
      word: PrivateDaemon.dryRunVariable,
      meaning: "With 1, such a daemon calls, writes and publishes nothing, and takes it for done. "
        + "signalbox dev --dry-run sets it."
    ),
    (word: "CREDENTIALS_DIRECTORY", meaning: "The directory of ${cred:NAME} in a configuration."),
  ]

  private static let statuses = [
    (word: "0", meaning: "stopped by a signal, or done"),
    (word: "64", meaning: "invalid command line"),
    (word: "66", meaning: "the configuration does not exist"),
    (word: "67", meaning: "unknown group for the socket"),
    (word: "69", meaning: "another process is listening on the socket"),
    (word: "71", meaning: "a system call failed"),
    (word: "73", meaning: "cannot create the socket or the state directory"),
    (word: "77", meaning: "no permission to read the configuration, create the socket, or use the state directory"),
    (word: "78", meaning: "invalid configuration, or a limit on files that is too low"),
  ]
}
