internal import Linux

extension Command {
  static let dev = Command(
    name: "dev", operands: "[FILE|DIRECTORY]", kinds: [.configuration],
    summary: "check, test and run a configuration, again at each save",
    details: """
      Starts a daemon for this user alone, and reads the configuration as the daemon does, with conf.d beside it; the
      default is signalbox.yaml. At each save of one of its files it is checked, its tests are run, and the daemon
      reloads it. The screen shows the three verdicts with their durations, then what failed first, the state that a
      reload has lost, and the current values of signals. Lazy and cold signals are not started for that. With an error,
      the last valid configuration stays active; a failed test does not prevent a reload.

      The socket and the state of durable graphs are in a private folder in $XDG_RUNTIME_DIR, else in $TMPDIR or /tmp,
      whatever the configuration sets. State is kept between saves as by signalbox reload, and discarded at the end;
      with --fresh, the daemon is replaced at each save and starts without state. A daemon that is killed is started
      again. The end leaves no process and no file.

      Calls and messages are real: actions run programs and send requests, signals write files and publish messages. The
      screen says so in a line. With --dry-run nothing of that happens, each counts as done, and sources are read as ever.

      Keys: s sends a value to a signal, w explains a value of a durable graph (a line with the operands of signalbox
      why), the tabulator completes a name, r starts again without state, Escape clears an answer, the arrow and page
      keys scroll, q or Ctrl-C quits.

      With --once, prints the verdicts of a check, the tests and a start, and ends with status 78 for an invalid
      configuration, 1 for a failed test, and 69 for a daemon that does not start.
      """,
    options: [
      Option(name: "fresh", doc: "start without state at each save"),
      Option(name: "dry-run", doc: "call, write and publish nothing"),
      Option(name: "view", doc: "show the graphs in a browser, as signalbox view does"),
      Option(name: "once", doc: "check, test and start once, for scripts"),
    ],
    isOffline: true,
    examples: [
      Example("signalbox dev fridge.yaml", "while you edit it"),
      Example("signalbox dev --view fridge.yaml", "with the graphs in a browser"),
      Example("signalbox dev --dry-run fridge.yaml", "without effects on anything else"),
      Example("signalbox dev --once fridge.yaml", "in a script"),
    ]
  ) { invocation throws(CommandError) in
    let path = try invocation.operands(0...1).first ?? "signalbox.yaml"
    if invocation.has("once") {
      if let other = ["fresh", "view"].first(where: invocation.has) {
        throw .usage("--once cannot be combined with --\(other)")
      }
      return try DevelopmentRun(output: invocation.output, path: path, isDry: invocation.has("dry-run")).run(
        in: try DevelopmentFolder())
    }
    guard invocation.output.isForPeople, StandardStream.input.isTerminal, CurrentProcess.environment("TERM") != "dumb"
    else { throw .usage("dev requires a terminal; --once checks, tests and starts without one") }
    CurrentProcess.noteProgramPath()
    let loop = try DevelopmentLoop(
      invocation, path, isFresh: invocation.has("fresh"), isDry: invocation.has("dry-run"), in: try DevelopmentFolder())
    try loop.run()
  }
}
