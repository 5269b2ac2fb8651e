internal import Linux

extension ManualPages {
  /// signalbox(1), from the declarations of the commands.
  static func client(_ commands: [Command]) -> ManualPage {
    var page = ManualPage("signalbox", section: 1, "talk with signalboxd, and check, test and draw its graphs")
    page.section("SYNOPSIS")
    page.paragraph("signalbox COMMAND [OPTION…] [ARGUMENT…]")
    page.section("DESCRIPTION")
    page.paragraph(
      """
      signalbox feeds the signals of a running signalboxd(8) and follows them. Without a daemon it checks a \
      configuration, runs its tests, replays recorded events to it, and draws it.

      On a terminal it prints readable columns, in a pipe plain lines parted by tabs, and with --json the daemon's \
      own JSON lines.
      """)
    page.section("COMMANDS")
    for command in commands { add(command, to: &page) }
    page.section("COMMON OPTIONS")
    page.paragraph("Every command takes --help; those that need no daemon take no notice of --socket.")
    page.items(Command.commonOptions.map { ($0.option.usage, $0.doc) })
    page.section("ENVIRONMENT")
    page.item("SIGNALBOX_SOCKET", "The daemon's socket, where --socket does not name it.")
    page.item("NO_COLOR, CLICOLOR_FORCE, TERM", "Whether there are colours, where --color does not say it.")
    page.section("FILES")
    page.item(Invocation.defaultSocket, "The daemon's socket, if nothing names another one.")
    page.item(ConfigurationFiles.defaultPath, "The file that check, test and graph read, if nothing names another one.")
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
