internal import Linux
internal import WireProtocol

/// The command line of the bridge, and its explanations.
enum Usage {
  static let program = OptionProgram(
    "signalbox-bridge", version: programVersionText,
    synopsis: "signalbox-bridge [--socket PATH] [--check [--input]]",
    summary: "connect signal graphs with the network",
    introduction: """
      Connects signal graphs with HTTP servers, MQTT brokers and NATS servers: sends the requests of their actions and the
      messages that they publish, and feeds their sources.
      """,
    description:
      """
      signalbox-bridge is an adapter of signalboxd(8): the daemon itself stays off the network, and gives it the \
      connections of its configuration (server.connections), the sources to feed, the calls to carry out and the messages \
      to publish. It serves connections with HTTP servers, MQTT brokers and NATS servers. It has no \
      configuration of its own. Its user must be root, the daemon's, or one that server.access.adapters names.

      It may end and start while the daemon runs, and the other way round: what it has not acknowledged is given to the \
      bridge that comes next. A daemon that starts it as its child needs no service of it.
      """,
    options: [
      CommandOption(
        "socket", letter: "s", argument: "PATH", "the daemon's socket (default \(SocketPath.ofDaemon))"),
      CommandOption("check", "connect with each peer once, print what was found, and end"),
      CommandOption(
        "input", "with --check: the connections are lines of standard input, as the daemon declares them"),
    ],
    sections: sections)

  /// Appends to the manual page what follows its options.
  @Sendable private static func sections(_ page: inout ManualPage) {
    page.section("HTTP")
    page.paragraph(
      """
      Each connection runs as many requests at once as its setting concurrent says; others wait, at most as many calls \
      again, and one request for each source. No connection has more than 1024 calls or messages under way. A redirection is followed five times, to an equal scheme, host and port alone. An answer \
      may have as many bytes as the setting limit says (1 MiB); one that comes more slowly than 16 bytes a second for 30 \
      seconds is given up before the setting timeout is over. Of Server-Sent Events at most 64 wait for the daemon, and an \
      event may be as long as limit says. Certificates are checked against the system's authorities or those of tls.ca; \
      proxies come from the configuration alone.
      """)
    page.section("MQTT")
    page.paragraph(
      """
      Each connection is one client of its broker, by version 5 or 3.1.1. At most as many messages as its setting window \
      says are under way in each direction (512), and no more than 1024 to the broker. A message of quality 1 is \
      acknowledged to the broker once the daemon has its value: in a durable graph, once it is on disk. A payload that is \
      longer than limit says (1 MiB) is dropped and logged. A lost connection is made again after half a second to a \
      minute; without a daemon it ends after 10 seconds, so that the broker publishes the will.
      """)
    page.section("NATS")
    page.paragraph(
      """
      At most as many messages as the setting window says are under way in each direction (512), and no more than 1024 to \
      the servers. A source with a stream acknowledges a message once the daemon has its value: in a durable graph, once \
      it is on disk. A source with a subject alone receives each message at most once: what is sent while the bridge is \
      away is lost, and so is what exceeds the 65,536 messages that wait while the daemon is slow, which is logged. A \
      lost connection is made again after half a second to a minute.
      """)
    page.section("SIGNALS")
    page.items([
      (
        word: "SIGTERM, SIGINT",
        meaning: "Begin nothing more, acknowledge what ends within 5 seconds, and end; the second one ends it at once."
      )
    ])
    page.section("ENVIRONMENT")
    page.items([
      (word: "SIGNALBOX_SOCKET", meaning: "The daemon's socket, where no option names it."),
      (
        word: "SIGNALBOX_SOCKET_FD",
        meaning: "The descriptor of a connection with the daemon that started it; it ends with that connection."
      ),
    ])
    page.section("EXIT STATUS")
    page.items([
      (word: "0", meaning: "stopped by a signal, or all checks passed"),
      (word: "1", meaning: "a connection that was checked is away, or refuses the bridge"),
      (word: "64", meaning: "the command line makes no sense"),
      (word: "69", meaning: "the daemon cannot be reached for the check, or refuses it"),
      (word: "71", meaning: "the system refused something that it needs"),
    ])
    page.section("SEE ALSO")
    page.paragraph("signalboxd(8), signalbox.yaml(5), signalbox(1)")
  }
}
