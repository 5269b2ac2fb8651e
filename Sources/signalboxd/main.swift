// signalboxd: reads the options and the configuration, opens the socket, builds the daemon, runs it, and says how it
// went. Exit statuses are those of sysexits.h.

import Daemon
import Glibc
import Linux
import Persistence
import SignalGraph

func run(_ arguments: [String], _ inheritance: Inheritance) throws(StartFailure) -> Int32 {
  for signal in [SIGHUP, SIGUSR1, SIGUSR2] { CurrentProcess.hold(signal: signal) }
  CurrentProcess.noteProgramPath()
  CurrentProcess.ignoreBrokenPipes()
  CurrentProcess.ignoreFileSizeLimit()
  CurrentProcess.returnLargeBlocks()
  let options = try parse(arguments)
  if options.has("help") { return say(Usage.help) }
  if options.has("manual") { return say(Usage.manual.text) }
  if let shell = options.argument(of: "completions") { return say(try completions(for: shell)) }
  if options.has("version") { return say("signalboxd \(versionText)\n") }
  let source = ConfigurationSource.withAdditions(options.argument(of: "config") ?? Usage.configuration)
  let stored = try load(source)
  let configuration = stored.configuration
  if options.has("check") { return 0 }
  if let version = options.argument(of: Successor.option) { return try answer(whetherItTakesOver: version) }

  let log = Log.standard(level: LogLevel(configuration.server.log.level), identifier: "signalboxd")
  log.report(configuration.warnings)
  do throws(Errno) { try CurrentProcess.raiseDescriptorLimit() } catch { throw StartFailure(error) }
  let takeover = takeover(inheritance, stored, log)
  do {
    let loop = try EventLoop()
    let socket = try SocketChoice.listener(
      configuration.server.socket, path: options.argument(of: "socket"), inheritance,
      former: try takeover?.takeListener(), log: log)
    let daemon = try daemon(stored, source, socket, loop, log, takeover)
    try daemon.handleSignals()
    try daemon.start()
    CurrentProcess.returnFreeMemory()
    CurrentProcess.returnProgramPages()
    return try loop.run()
  } catch {
    takeover?.refuse()
    throw error as? StartFailure ?? StartFailure("\(error)", status: EX_OSERR)
  }
}

/// The work of the process before, unless there is none or it cannot be gone on with: then its clients have been told.
func takeover(_ inheritance: Inheritance, _ stored: StoredConfiguration, _ log: Log) -> Takeover? {
  guard let carrier = inheritance.takeCarrier() else { return nil }
  do throws(StartFailure) { return try Takeover(carrier, present: stored, isStored: inheritance.isStored) } catch {
    log.error(error.message)
    return nil
  }
}

/// The daemon, which goes on with the work of the process before if it can, and else begins anew.
func daemon(
  _ stored: StoredConfiguration, _ source: ConfigurationSource, _ socket: consuming UnixListener, _ loop: EventLoop,
  _ log: Log, _ takeover: Takeover?
) throws -> Daemon {
  guard let takeover else { return try Daemon(stored, from: source, socket: socket, loop: loop, log: log) }
  let spare = try socket.duplicate()
  do throws(StartFailure) {
    return try Daemon(stored, from: source, socket: socket, loop: loop, log: log, takeover: takeover)
  } catch {
    log.error(error.message)
    takeover.refuse()
    return try Daemon(stored, from: source, socket: spare, loop: loop, log: log)
  }
}

/// Says whether this program goes on with a state of a version, and that nothing is wrong with the configuration.
func answer(whetherItTakesOver asked: String) throws(StartFailure) -> Int32 {
  if let number = UInt8(asked), HandoverFile.reads(version: number) { return 0 }
  throw StartFailure(
    "this program, \(version), does not go on with the work of one that hands over in version \(asked)", status: 69)
}

func parse(_ arguments: [String]) throws(StartFailure) -> ParsedArguments {
  do throws(UsageError) {
    let parsed = try OptionParser.parse(arguments, Usage.options)
    if let operand = parsed.operands.first { throw UsageError("unexpected argument \(operand)") }
    return parsed
  } catch {
    throw StartFailure("\(error); see signalboxd --help", status: EX_USAGE)
  }
}

func completions(for shell: String) throws(StartFailure) -> String {
  if let script = OptionCompletions("signalboxd", Usage.options).script(for: shell) { return script }
  let shells = OptionCompletions.shells.joined(separator: ", ")
  throw StartFailure("completions are there for \(shells), not for \(shell)", status: EX_USAGE)
}

func load(_ source: ConfigurationSource) throws(StartFailure) -> StoredConfiguration {
  do throws(ConfigurationError) { return try StoredConfiguration(reading: source) } catch { throw StartFailure(error) }
}

func say(_ text: String) -> Int32 {
  (try? Transfer(StandardStream.output.rawValue).writeAll(text)) == nil ? EX_IOERR : EX_OK
}

/// Tells the reason why it did not start: plainly to a person at stderr, but with an error's priority to the journal.
func tell(_ failure: StartFailure) {
  if let journal = Log.journal(identifier: "signalboxd") { return journal.error(failure.message) }
  try? Transfer(StandardStream.error.rawValue).writeAll("signalboxd: \(failure.message)\n")
}

let inheritance = Inheritance(name: Takeover.name, variable: Takeover.variable)
do throws(StartFailure) {
  exit(try run(Array(CommandLine.arguments.dropFirst()), inheritance))
} catch {
  tell(error)
  ServiceManager.notify(.status("does not start: \(error.message.prefix { !$0.isNewline })"))
  Takeover.refuse(inheritance)
  WaitingClients.turnAway(inheritance)
  exit(error.status)
}
