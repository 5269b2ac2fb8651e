// signalbox: the client. Each command is in its own file; this one lists them and runs the requested one.

import Glibc
import Linux

// A closed reader is reported as EPIPE, and the command ends quietly.
signal(SIGPIPE, SIG_IGN)

let commands: [Command] = [
  .send, .subscribe, .get, .values, .wait, .watch, .call, .list, .describe, .stats, .top,
  .connections, .cluster, .ping, .reload, .restart, .record,
  .replay, .`init`, .dev, .check, .state, .history, .why, .test, .simulate, .graph, .view, .operators, .schema,
  .completions,
  .manual,
  .help,
]

StandardStream.reserve()
exit(Program(commands: commands).run(Array(CommandLine.arguments.dropFirst())).rawValue)
