// signalbox-bridge: reads the options, attaches to the daemon, runs, and says how it went. Exit statuses are those of
// sysexits.h.

import Bridge
import Glibc
import Linux

/// The reason that the bridge does not start, and its exit status.
struct StartFailure: Error {
  let message: String
  let status: Int32
}

func run(_ arguments: [String]) throws(StartFailure) -> Int32 {
  for signal in [SIGTERM, SIGINT] { CurrentProcess.hold(signal: signal) }
  CurrentProcess.ignoreBrokenPipes()
  CurrentProcess.returnLargeBlocks()
  let options = try parse(arguments)
  if options.has("help") { return say(WrappedText.text(Usage.help, width: Terminal.size?.columns)) }
  if options.has("version") { return say("signalbox-bridge \(Bridge.version)\n") }
  if options.has("manual") { return say(Usage.manual.text) }
  if let shell = options.argument(of: "completions") { return say(try completions(for: shell)) }
  let log = Log.standard(identifier: "signalbox-bridge")
  if let number = try inherited("SIGNALBOX_RELAY_FD") { return try relay(number, log) }
  let settings = try settings(options)
  do throws(Errno) { try CurrentProcess.raiseDescriptorLimit() } catch { throw StartFailure(error) }
  do {
    let loop = try EventLoop()
    return options.has("check")
      ? try check(settings, readsInput: options.has("input"), loop, log) : try serve(settings, loop, log)
  } catch {
    throw error as? StartFailure ?? StartFailure(message: "\(error)", status: EX_OSERR)
  }
}

/// Speaks with NATS for the daemon that has started this process, until that ends.
func relay(_ number: Int32, _ log: Log) throws(StartFailure) -> Int32 {
  do {
    let loop = try EventLoop()
    let relay = try Relay(number, loop: loop, log: log)
    return try withExtendedLifetime(relay) { try loop.run() }
  } catch {
    throw StartFailure(message: "\(error)", status: EX_OSERR)
  }
}

func serve(_ settings: BridgeSettings, _ loop: EventLoop, _ log: Log) throws -> Int32 {
  let bridge = try Bridge(settings, loop: loop, log: log)
  let ends = try [SIGTERM, SIGINT].map { signal in
    try loop.addSignal(signal) {
      ServiceManager.notify(.stopping)
      bridge.stop()
    }
  }
  try loop.feedWatchdog()
  bridge.ready = { ServiceManager.notify(.ready) }
  bridge.start()
  return try withExtendedLifetime(ends) { try loop.run() }
}

/// Says what each connection is like; 1 if one is not as it should be.
///
/// - Parameter readsInput: True to read the connections from standard input, in place of asking the daemon.
func check(_ settings: BridgeSettings, readsInput: Bool, _ loop: EventLoop, _ log: Log) throws -> Int32 {
  let check: BridgeCheck
  do throws(Errno) {
    check = try readsInput ? BridgeCheck(lines: input(), loop: loop) : BridgeCheck(settings, loop: loop, log: log)
  } catch {
    throw StartFailure(message: "\(error)", status: EX_UNAVAILABLE)
  }
  var isGood = true
  var failure: StartFailure?
  check.found = { finding in
    guard let finding else { return loop.stop() }
    isGood = isGood && finding.isGood
    _ = say("\(finding.connection) (\(finding.kind)): \(finding.text)\n")
  }
  check.failed = { message in
    failure = StartFailure(message: message, status: EX_UNAVAILABLE)
    loop.stop()
  }
  _ = try withExtendedLifetime(check) { try loop.run() }
  if let failure { throw failure }
  return isGood ? 0 : 1
}

/// Reads standard input to its end.
func input() throws(Errno) -> [UInt8] {
  var bytes: [UInt8] = []
  while let more = try Transfer(StandardStream.input.rawValue).read(upTo: 1 << 16), !more.isEmpty { bytes += more }
  return bytes
}

func settings(_ options: ParsedArguments) throws(StartFailure) -> BridgeSettings {
  var settings = BridgeSettings(
    socket: options.argument(of: "socket") ?? CurrentProcess.environment("SIGNALBOX_SOCKET")
      ?? BridgeSettings.defaultSocket)
  if let reason = SocketPath.refusal(of: settings.socket) {
    throw StartFailure(message: "--socket \(reason)", status: EX_USAGE)
  }
  if !options.has("check") { settings.inherited = try inherited("SIGNALBOX_SOCKET_FD") }
  return settings
}

/// Returns the descriptor that a variable names, which no other program gets.
func inherited(_ variable: String) throws(StartFailure) -> Int32? {
  guard let text = CurrentProcess.environment(variable) else { return nil }
  guard let number = Int32(text), number > 2 else {
    throw StartFailure(message: "\(variable)=\(text) is no descriptor", status: EX_USAGE)
  }
  CurrentProcess.setEnvironment(variable, nil)
  CurrentProcess.closeInPrograms(number)
  return number
}

func parse(_ arguments: [String]) throws(StartFailure) -> ParsedArguments {
  do throws(UsageError) {
    let parsed = try OptionParser.parse(arguments, Usage.options)
    if let operand = parsed.operands.first { throw UsageError("unexpected argument \(operand)") }
    if parsed.has("input"), !parsed.has("check") { throw UsageError("--input requires --check") }
    return parsed
  } catch { throw StartFailure(message: "\(error); see signalbox-bridge --help", status: EX_USAGE) }
}

func completions(for shell: String) throws(StartFailure) -> String {
  if let script = OptionCompletions("signalbox-bridge", Usage.options).script(for: shell) { return script }
  let shells = OptionCompletions.shells.joined(separator: ", ")
  throw StartFailure(message: "completions are there for \(shells), not for \(shell)", status: EX_USAGE)
}

func say(_ text: String) -> Int32 {
  (try? Transfer(StandardStream.output.rawValue).writeAll(text)) == nil ? EX_IOERR : EX_OK
}

extension StartFailure {
  init(_ error: Errno) { self.init(message: "\(error)", status: EX_OSERR) }
}

do throws(StartFailure) {
  exit(try run(Array(CommandLine.arguments.dropFirst())))
} catch {
  if let journal = Log.journal(identifier: "signalbox-bridge") {
    journal.error(error.message)
  } else {
    try? Transfer(StandardStream.error.rawValue).writeAll("signalbox-bridge: \(error.message)\n")
  }
  exit(error.status)
}
