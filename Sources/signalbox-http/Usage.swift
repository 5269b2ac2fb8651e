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
      "config", letter: "c", argument: "PATH",
      "the configuration to draw (default \(GatewaySettings.defaultConfiguration))"),
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
}
