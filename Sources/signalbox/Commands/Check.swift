extension Command {
  static let check = Command(
    name: "check", operands: "[FILE|DIRECTORY]", kinds: [.configuration],
    summary: "check a configuration and report every error",
    details: """
      A FILE is read by itself; a DIRECTORY, or the path of --config, as the daemon reads it, including conf.d. The
      default is /etc/signalbox/signalbox.yaml. No daemon is needed. A configuration without errors starts. Notes report
      what only the daemon can check, such as a credential; with --unit the installed unit is read, and the values it
      provides are checked as well.

      With --fix, replaces deprecated names, and misspelt words that only one known word is near, in the files themselves.
      All other bytes stay. Prints each replacement, then the diagnostics that remain.

      With --against, compares it with the state of durable graphs in a folder, with or without a running daemon, and
      reports for each of their signals whether its state is kept, or what would be discarded and why. A text from the
      daemon's environment counts as changed.

      With --live, compares it with the objects on D-Bus that it names, without starting their services, and reports
      names without an owner, missing members, differing types and properties that announce no changes. Run it as the
      daemon's user, whose permissions apply. If a bus does not answer within 5 s, the status is 69. It also tries the
      connections of server.connections, by signalbox-bridge, which is beside this program: connects, logs in where that
      needs no credentials of the daemon, and reports what it found; if one is away or refuses, the status is 69.

      With --expand, prints it as one file with all templates expanded, if it has no errors.
      """,
    options: [
      ConfigurationFiles.option,
      Option(name: "format", argument: "FORMAT", doc: "text (default) or json", kind: .word(["text", "json"])),
      Option(name: "fix", doc: "apply all fix-its to the files, and report what remains"),
      Option(
        name: "against", argument: "DIR", doc: "report the state in a folder that durable graphs would discard",
        kind: .file),
      Option(name: "expand", doc: "print it as one file with templates expanded"),
      Option(name: "live", doc: "compare it with the message buses, and try its connections"),
      Option(name: "unit", doc: "print a systemd drop-in with the permissions it needs"),
      Option(
        name: "instance", argument: "NAME", doc: "with --unit: for the instance signalbox@NAME and its configuration"),
    ],
    isOffline: true,
    examples: [
      Example("signalbox check graphs.yaml", "one file"),
      Example("signalbox check --config /etc/signalbox/signalbox.yaml", "as the daemon reads it"),
      Example("signalbox check --format json graphs.yaml", "for editors"),
      Example("signalbox check --fix graphs.yaml", "correct misspelt and deprecated names"),
      Example("signalbox check --unit graphs.yaml", "permissions for the service"),
      Example("sudo -u signalbox signalbox check --live", "compare with D-Bus"),
      Example("signalbox check --expand graphs.yaml", "templates expanded"),
      Example("sudo signalbox check --against /var/lib/signalbox graphs.yaml", "state that would be discarded"),
    ]
  ) { invocation throws(CommandError) in try ConfigurationCheck(invocation).run() }
}
