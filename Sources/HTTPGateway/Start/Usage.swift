internal import Linux
internal import WireProtocol

/// The command line of the gateway, and its help texts.
enum Usage {
  static let program = OptionProgram(
    "signalbox-http", version: programVersionText,
    synopsis: "signalbox-http [--listen HOST:PORT|unix:PATH] [--socket PATH] [--token-file PATH]",
    summary: "HTTP gateway to signal graphs",
    introduction: "HTTP gateway to signal graphs, for programs and browsers.",
    description:
      """
      signalbox-http is a client of signalboxd(8) that lets others in by HTTP: programs that know no Unix socket, \
      browsers, webhooks, collectors of metrics. It needs no more rights on the daemon's socket than those who come \
      through it are to have, and it may end and start while the daemon runs, and the other way round.

      Over TCP a token is always needed, since any user of the machine can connect; over a Unix socket its permissions \
      decide. It speaks no TLS: outside of the machine it belongs behind a reverse proxy.
      """,
    options: [
      CommandOption(
        "listen", letter: "l", argument: "ADDRESS", "listen on HOST:PORT or unix:PATH; may be repeated"),
      CommandOption(
        "socket", letter: "s", argument: "PATH", "the daemon's socket (default \(SocketPath.ofDaemon))"),
      CommandOption("token-file", letter: "t", argument: "PATH", "the file of tokens and webhooks"),
      CommandOption("host", argument: "NAME", "an allowed host name; may be repeated"),
      CommandOption(
        "allow-origin", argument: "ORIGIN", "allow pages of SCHEME://HOST[:PORT] in browsers; may be repeated"),
      CommandOption("static", argument: "DIR", "serve the files of a folder at /static/, without a token"),
      CommandOption(
        "max-connections", argument: "N",
        "maximum connections per address (default 900; see limits.user.connections of the daemon)"),
      CommandOption(
        "max-token-requests", argument: "N",
        "maximum concurrent requests of one token, including streams (default: a third of the connections)"),
      CommandOption(
        "config", letter: "c", argument: "PATH",
        "the configuration to draw (default \(GatewaySettings.defaultConfiguration))"),
      CommandOption(
        "state", argument: "DIR",
        "the state folder of the daemon, for explanations; requires root or the daemon's user"),
      CommandOption("new-token", argument: "NAME", "print a new token and its line for the file"),
      CommandOption("view", "serve the page locally on a free port, and open it in a browser"),
      CommandOption("openapi", "print the OpenAPI description"),
    ],
    sections: sections)

  /// Appends to the manual page what follows its options.
  @Sendable private static func sections(_ page: inout ManualPage) {
    page.section("REQUESTS")
    page.items(Routes.explained)
    page.section("TOKENS")
    page.paragraph("The file of tokens has one line per token and per webhook; # begins a comment.")
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
  }

  private static let tokenFile = """
    token grafana sha256:9f86d0… read climate.* *.alarm stats
    token phone sha256:60303a… read all send home.* call home.*
    hook github ci.pushes X-Hub-Signature-256 /etc/signalbox/github.secret

    """

  private static let signals = [
    (word: "SIGTERM, SIGINT", meaning: "Close all connections, and exit."),
    (
      word: "SIGHUP",
      meaning: "Reload the file of tokens; if it is invalid, the errors go to the log and the old tokens stay valid."
    ),
  ]

  private static let environment = [
    (word: "SIGNALBOX_SOCKET", meaning: "The daemon's socket, unless --socket is given."),
    (word: "LISTEN_FDS, LISTEN_PID", meaning: "Listening sockets from the service manager, instead of --listen."),
  ]

  private static let statuses = [
    (word: "0", meaning: "stopped by a signal, or done"),
    (word: "64", meaning: "invalid command line"),
    (word: "69", meaning: "the address is in use or unavailable"),
    (word: "71", meaning: "a system call failed"),
    (word: "73", meaning: "cannot create the socket"),
    (word: "78", meaning: "the file of tokens is invalid or unreadable"),
  ]
}
