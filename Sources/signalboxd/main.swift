// signalboxd: reads the options and the configuration, opens the socket, builds the daemon, runs it, and says how it
// went. Exit statuses are those of sysexits.h.

import Daemon
import Glibc
import Linux
import Persistence
import SignalGraph

func run(_ arguments: [String]) throws(StartFailure) -> Int32 {
  CurrentProcess.hold(signal: SIGHUP)
  CurrentProcess.ignoreBrokenPipes()
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

  let log = Log.standard(level: LogLevel(configuration.server.log.level), identifier: "signalboxd")
  log.report(configuration.warnings)
  let socket = try SocketChoice.listener(configuration.server.socket, path: options.argument(of: "socket"), log: log)
  do {
    try CurrentProcess.raiseDescriptorLimit()
    let loop = try EventLoop()
    let daemon = try Daemon(stored, from: source, socket: socket, loop: loop, log: log)
    try daemon.handleSignals()
    try daemon.start()
    CurrentProcess.returnFreeMemory()
    CurrentProcess.returnProgramPages()
    return try loop.run()
  } catch let failure as StartFailure {
    throw failure
  } catch {
    throw StartFailure("\(error)", status: EX_OSERR)
  }
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

do throws(StartFailure) {
  exit(try run(Array(CommandLine.arguments.dropFirst())))
} catch {
  tell(error)
  ServiceManager.notify(.status("does not start: \(error.message.prefix { !$0.isNewline })"))
  WaitingClients.turnAway()
  exit(error.status)
}
