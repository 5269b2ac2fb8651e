internal import Linux

extension ManualPages {
  /// The manual page signalbox(1), generated from the declarations of the commands.
  static func client(_ commands: [Command]) -> ManualPage {
    var page = ManualPage("signalbox", section: 1, "client of signalboxd; check, test and draw its graphs")
    page.section("SYNOPSIS")
    page.paragraph("signalbox COMMAND [OPTION…] [ARGUMENT…]")
    page.section("DESCRIPTION")
    page.paragraph(
      """
      signalbox sends values to the signals of a running signalboxd(8) and follows them. Without a daemon it checks a \
      configuration, runs its tests, replays recorded events to it, and draws it.

      On a terminal it prints aligned columns, in a pipe plain lines separated by tabs, and with --json the daemon's \
      own JSON lines.
      """)
    page.section("COMMANDS")
    for command in commands { add(command, to: &page) }
    page.section("COMMON OPTIONS")
    page.paragraph("Every command accepts --help; commands that need no daemon ignore --socket.")
    page.items(Command.commonOptions.map { ($0.option.usage, $0.doc) })
    page.section("ENVIRONMENT")
    page.item("SIGNALBOX_SOCKET", "The daemon's socket, unless --socket is given.")
    page.item("NO_COLOR, CLICOLOR_FORCE, TERM", "Colours, unless --color is given.")
    page.section("FILES")
    page.item(SocketPath.ofDaemon, "The default socket of the daemon.")
    page.item(ConfigurationFiles.defaultPath, "The default file of check, test and graph.")
    page.section("EXIT STATUS")
    page.items(ExitStatus.allCases.map { ("\($0.rawValue)", $0.meaning) })
    page.section("SEE ALSO")
    page.paragraph("signalbox.yaml(5), signalboxd(8), jq(1)")
    return page
  }

  private static func add(_ command: Command, to page: inout ManualPage) {
    page.subsection(command.usage)
    page.paragraph(command.summary.prefix(1).uppercased() + command.summary.dropFirst() + ".")
    if !command.details.isEmpty { page.paragraph(command.details) }
    page.items(command.options.map { ($0.option.usage, $0.doc) })
    for example in command.examples { page.code("\(example.line)\n    \(example.meaning)") }
  }
}
