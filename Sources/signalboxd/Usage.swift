import Linux

/// The command line of the daemon, and its explanations.
enum Usage {
  static let configuration = "/etc/signalbox/signalbox.yaml"

  static let options = [
    CommandOption("config", letter: "c", argument: "PATH", "the configuration (default \(configuration))"),
    CommandOption("socket", letter: "s", argument: "PATH", "listen here, whatever the configuration says"),
    CommandOption("check", "check the configuration and end"),
    CommandOption(
      "takes-over", argument: "VERSION",
      "say whether this program can go on with the work of one that hands over in this version, and end"),
    CommandOption("manual", "print the manual page, for man(1)"),
    CommandOption(
      "completions", argument: OptionCompletions.shells.joined(separator: "|"),
      "print what completes its command line in a shell"),
    CommandOption("version", "print the version"),
    CommandOption("help", letter: "h", "print this"),
  ]

  private static let synopsis = "signalboxd [--config PATH] [--socket PATH]"

  static let help = """
    Usage: \(synopsis)

    Hosts signal graphs declared in YAML and speaks JSON lines over a Unix socket.

    \(CommandOption.help(options))

    """

  /// signalboxd(8).
  static var manual: ManualPage {
    var page = ManualPage("signalboxd", section: 8, "host signal graphs behind a Unix socket")
    page.section("SYNOPSIS")
    page.paragraph(synopsis)
    page.section("DESCRIPTION")
    page.paragraph(
      """
      signalboxd runs the graphs of signals that signalbox.yaml(5) declares. Clients feed and follow them through a \
      Unix socket, in lines of JSON; signalbox(1) is one such client.

      It stays in the foreground. Run by systemd(1), it tells when it is ready, takes over a socket that it is passed, \
      and writes its log to the journal; else the log goes to standard error.
      """)
    page.section("OPTIONS")
    page.items(options.map { ($0.usage, $0.meaning) })
    page.section("SIGNALS")
    page.items(signals)
    page.section("ENVIRONMENT")
    page.items(environment)
    page.section("FILES")
    page.item(configuration, "The configuration, and conf.d beside it.")
    page.item("/run/signalbox/signalbox.sock", "The socket, if the configuration names no other.")
    page.section("EXIT STATUS")
    page.items(statuses)
    page.section("SEE ALSO")
    page.paragraph("signalbox(1), signalbox.yaml(5), systemd.socket(5)")
    return page
  }

  private static let signals = [
    (word: "SIGTERM, SIGINT", meaning: "Tell the subscribers, write what is queued, and end."),
    (
      word: "SIGHUP",
      meaning: "Read the configuration again; what is wrong with it goes to the log, and the old one runs on. "
        + "signalbox reload does the same and waits for the verdict."
    ),
    (
      word: "SIGUSR2",
      meaning: "Have the program that is on disk now take the place of this one, with all clients and all state; it is "
        + "asked first, and if it cannot, this one goes on."
    ),
    (
      word: "SIGUSR1",
      meaning: "Leave all clients and all state with the service manager and end, for the next process to go on with; "
        + "where that keeps nothing, end as after SIGTERM. The unit names it as RestartKillSignal=."
    ),
  ]

  private static let environment = [
    (word: "LISTEN_FDS, LISTEN_PID", meaning: "A listening socket from the service manager, used in place of its own."),
    (word: "NOTIFY_SOCKET, WATCHDOG_USEC", meaning: "Where and how often the service manager wants to be told of it."),
    (word: "CREDENTIALS_DIRECTORY", meaning: "Where ${cred:NAME} in a configuration is read from."),
  ]

  private static let statuses = [
    (word: "0", meaning: "it was told to end, or had nothing to do but to answer"),
    (word: "64", meaning: "the command line makes no sense"),
    (word: "66", meaning: "the configuration is not there"),
    (word: "67", meaning: "there is no such group for the socket"),
    (word: "69", meaning: "another process listens on the socket"),
    (word: "71", meaning: "the system refused something that it needs"),
    (word: "73", meaning: "the socket cannot be made where it should be"),
    (word: "77", meaning: "it may not read the configuration, or not make the socket"),
    (word: "78", meaning: "the configuration is wrong"),
  ]
}
