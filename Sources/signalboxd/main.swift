// signalboxd: parses the options and the configuration, opens the socket, runs the daemon, and reports failures. Exit
// statuses are those of sysexits.h.
import Daemon
import Glibc
import GraphModel
import Linux
import Persistence
import WireProtocol

func run(_ arguments: [String], _ inheritance: Inheritance) throws(StartFailure) -> Int32 {
  for signal in [SIGHUP, SIGUSR1, SIGUSR2] { CurrentProcess.hold(signal: signal) }
  CurrentProcess.noteProgramPath()
  CurrentProcess.ignoreBrokenPipes()
  CurrentProcess.ignoreFileSizeLimit()
  CurrentProcess.returnLargeBlocks()
  let options = try Usage.program.parse(arguments)
  if let status = try Usage.program.answer(options) { return status }
  let source = ConfigurationSource.withAdditions(options.argument(of: "config") ?? Usage.configuration)
  var stored = try load(source)
  if options.has(Usage.withoutText) { stored.configuration.readsText = false }
  let configuration = stored.configuration
  if options.has("check") { return 0 }
  if let version = options.argument(of: SuccessorProgram.option) { return try answer(aboutVersion: version) }

  let log = Log.standard(level: LogLevel(configuration.server.log.level), identifier: "signalboxd")
  log.report(configuration.warnings)
  do throws(Errno) { try CurrentProcess.raiseDescriptorLimit() } catch { throw StartFailure(error) }
  try DescriptorReserve.check()
  let resumption = resumption(inheritance, stored, log)
  do {
    let loop = try EventLoop()
    let socket = try SocketChoice.listener(
      configuration.server.socket, path: options.argument(of: "socket"), inheritance,
      former: try resumption?.takeListener(), log: log)
    let daemon = try daemon(stored, source, socket, loop, log, resumption)
    try daemon.handleSignals()
    try daemon.start()
    CurrentProcess.returnFreeMemory()
    CurrentProcess.returnProgramPages()
    return try loop.run()
  } catch {
    resumption?.refuse()
    throw error as? StartFailure ?? StartFailure("\(error)", status: EX_OSERR)
  }
}

/// Returns the handover from the old process; `nil` if there is none, or if it is invalid and its clients have been
/// dismissed.
func resumption(_ inheritance: Inheritance, _ stored: StoredConfiguration, _ log: Log) -> Resumption? {
  guard let carrier = inheritance.takeCarrier() else { return nil }
  do throws(StartFailure) { return try Resumption(carrier, present: stored, isStored: inheritance.isStored) } catch {
    log.error(error.message)
    return nil
  }
}

/// Creates the daemon, which resumes the work of the old process if possible, and otherwise starts without it.
func daemon(
  _ stored: StoredConfiguration, _ source: ConfigurationSource, _ socket: consuming UnixListener, _ loop: EventLoop,
  _ log: Log, _ resumption: Resumption?
) throws -> Daemon {
  guard let resumption else { return try Daemon(stored, from: source, socket: socket, loop: loop, log: log) }
  let spare = try socket.duplicate()
  do throws(StartFailure) {
    return try Daemon(stored, from: source, socket: socket, loop: loop, log: log, resumption: resumption)
  } catch {
    log.error(error.message)
    resumption.refuse()
    return try Daemon(stored, from: source, socket: spare, loop: loop, log: log)
  }
}

/// Answers whether this program accepts a state of a version and the configuration is valid.
func answer(aboutVersion asked: String) throws(StartFailure) -> Int32 {
  if let number = UInt8(asked), HandoverFile.reads(version: number) { return 0 }
  throw StartFailure(
    "unsupported handover version \(asked): this is \(programVersion)", status: 69)
}

func load(_ source: ConfigurationSource) throws(StartFailure) -> StoredConfiguration {
  do throws(ConfigurationError) { return try StoredConfiguration(reading: source, PrivateDaemon.inputs) } catch {
    throw StartFailure(error)
  }
}

StandardStream.reserve()
let inheritance = Inheritance(name: Resumption.name, variable: Resumption.variable)
do throws(StartFailure) {
  exit(try run(Array(CommandLine.arguments.dropFirst()), inheritance))
} catch {
  Usage.program.report(error)
  ServiceManager.notify(.status("failed to start: \(error.message.prefix { !$0.isNewline })"))
  Resumption.refuse(inheritance)
  WaitingClients.turnAway(inheritance)
  exit(error.status)
}
