// signalbox: the client. One file a command; this one lists them and runs the one that was asked for.

import Glibc

// A reader that has gone shows as EPIPE, and the command ends quietly.
signal(SIGPIPE, SIG_IGN)

let commands: [Command] = [
  .send, .subscribe, .get, .wait, .watch, .call, .list, .describe, .stats, .top, .ping, .reload, .restart, .record,
  .replay, .check, .state, .history, .why, .test, .simulate, .graph, .view, .operators, .schema, .completions, .manual,
  .help,
]

exit(Program(commands: commands).run(Array(CommandLine.arguments.dropFirst())).rawValue)
