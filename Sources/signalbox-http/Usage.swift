import HTTPGateway
import Linux

/// The command line of the gateway, and its explanations.
enum Usage {
  static let options = [
    CommandOption(
      "listen", letter: "l", argument: "ADDRESS", "where requests come: HOST:PORT or unix:PATH; may be repeated"),
    CommandOption(
      "socket", letter: "s", argument: "PATH", "the daemon's socket (default \(GatewaySettings.defaultSocket))"),
    CommandOption("token-file", letter: "t", argument: "PATH", "who may come in by TCP, and which webhooks"),
    CommandOption("host", argument: "NAME", "a name by which it may be asked for; may be repeated"),
    CommandOption(
      "max-connections", argument: "N",
      "the most connections at each address (default 900; see limits.user.connections of the daemon)"),
    CommandOption(
      "config", letter: "c", argument: "PATH",
      "the configuration to draw (default \(GatewaySettings.defaultConfiguration))"),
    CommandOption(
      "state", argument: "DIR",
      "the folder of the daemon's durable graphs, to explain their values; its user must be root or the daemon's"),
    CommandOption("new-token", argument: "NAME", "print a new token and its line for the file, and end"),
    CommandOption("view", "serve the page for oneself, on a free port, and open it in a browser"),
    CommandOption("openapi", "print the description of what can be asked, and end"),
    CommandOption("manual", "print the manual page, for man(1)"),
    CommandOption(
      "completions", argument: OptionCompletions.shells.joined(separator: "|"),
      "print what completes its command line in a shell"),
    CommandOption("version", "print the version"),
    CommandOption("help", letter: "h", "print this"),
  ]

  private static let synopsis =
    "signalbox-http [--listen HOST:PORT|unix:PATH] [--socket PATH] [--token-file PATH]"

  static let help = """
    Usage: \(synopsis)

    Lets programs that know HTTP, and people with a browser, take part in signal graphs.

    \(CommandOption.help(options))

    """

  /// signalbox-http(8).
  static var manual: ManualPage {
    var page = ManualPage("signalbox-http", section: 8, "take part in signal graphs over HTTP")
    page.section("SYNOPSIS")
    page.paragraph(synopsis)
    page.section("DESCRIPTION")
    page.paragraph(
      """
      signalbox-http is a client of signalboxd(8) that lets others in by HTTP: programs that know no Unix socket, \
      browsers, webhooks, collectors of metrics. It needs no more rights on the daemon's socket than those who come \
      through it are to have, and it may end and start while the daemon runs, and the other way round.

      Over TCP a token is always needed, since any user of the machine can connect; over a Unix socket its permissions \
      decide. It speaks no TLS: outside of the machine it belongs behind a reverse proxy.
      """)
    page.section("OPTIONS")
    page.items(options.map { ($0.usage, $0.meaning) })
    page.section("REQUESTS")
    page.items(Gateway.requests)
    page.section("TOKENS")
    page.paragraph("The file of those who may come in has a line for each token and each webhook; # begins a comment.")
    page.code(tokenFile)
    page.paragraph(
      """
      A token is known by its hash. Behind read, send and call stand patterns of names, or all; stats lets it see \
      what is counted. A webhook sends to one signal what is signed with the secret in a file (HMAC-SHA-256).
      """)
    page.section("SIGNALS")
    page.items(signals)
    page.section("ENVIRONMENT")
    page.items(environment)
    page.section("EXIT STATUS")
    page.items(statuses)
    page.section("SEE ALSO")
    page.paragraph("signalboxd(8), signalbox(1), systemd.socket(5)")
    return page
  }

  private static let tokenFile = """
    token grafana sha256:9f86d0… read climate.* *.alarm stats
    token phone sha256:60303a… read all send home.* call home.*
    hook github ci.pushes X-Hub-Signature-256 /etc/signalbox/github.secret

    """

  private static let signals = [
    (word: "SIGTERM, SIGINT", meaning: "End all connections, and end."),
    (
      word: "SIGHUP",
      meaning: "Read the file of tokens again; one that makes no sense goes to the log, and the old one holds."
    ),
  ]

  private static let environment = [
    (word: "SIGNALBOX_SOCKET", meaning: "The daemon's socket, where no option names it."),
    (word: "LISTEN_FDS, LISTEN_PID", meaning: "Listening sockets from the service manager, used in place of --listen."),
  ]

  private static let statuses = [
    (word: "0", meaning: "it was told to end, or had nothing to do but to answer"),
    (word: "64", meaning: "the command line makes no sense"),
    (word: "69", meaning: "the address is in use, or cannot be had"),
    (word: "71", meaning: "the system refused something that it needs"),
    (word: "73", meaning: "the socket cannot be made where it should be"),
    (word: "78", meaning: "the file of tokens is wrong, or cannot be read"),
  ]
}
