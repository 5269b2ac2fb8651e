// signalbox-bridge: reads the options, attaches to the daemon, runs, and says how it went. Exit statuses are those of
// sysexits.h.

internal import Glibc
internal import Linux

func run(_ arguments: [String]) throws(StartFailure) -> Int32 {
  for signal in [SIGTERM, SIGINT] { CurrentProcess.hold(signal: signal) }
  CurrentProcess.ignoreBrokenPipes()
  CurrentProcess.returnLargeBlocks()
  let options = try Usage.program.parse(arguments)
  if options.has("input"), !options.has("check") {
    throw Usage.program.failure(UsageError("--input requires --check"))
  }
  if let status = try Usage.program.answer(options) { return status }
  let log = Log.standard(identifier: "signalbox-bridge")
  if let number = try ParentDescriptor.take("SIGNALBOX_RELAY_FD") { return try relay(number, log) }
  let settings = try BridgeSettings(options)
  do throws(Errno) { try CurrentProcess.raiseDescriptorLimit() } catch { throw StartFailure(error) }
  do {
    let loop = try EventLoop()
    return options.has("check")
      ? try check(settings, readsInput: options.has("input"), loop, log) : try serve(settings, loop, log)
  } catch {
    throw error as? StartFailure ?? StartFailure("\(error)", status: EX_OSERR)
  }
}

/// Speaks with NATS for the daemon that has started this process, until that ends.
func relay(_ number: Int32, _ log: Log) throws(StartFailure) -> Int32 {
  do {
    let loop = try EventLoop()
    let relay = try Relay(number, loop: loop, log: log)
    return try withExtendedLifetime(relay) { try loop.run() }
  } catch {
    throw StartFailure("\(error)", status: EX_OSERR)
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
    throw StartFailure("\(error)", status: EX_UNAVAILABLE)
  }
  var isGood = true
  var failure: StartFailure?
  check.found = { finding in
    guard let finding else { return loop.stop() }
    isGood = isGood && finding.isGood
    _ = OptionProgram.print("\(finding.connection) (\(finding.kind)): \(finding.text)\n")
  }
  check.failed = { message in
    failure = StartFailure(message, status: EX_UNAVAILABLE)
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

StandardStream.reserve()
do throws(StartFailure) {
  exit(try run(Array(CommandLine.arguments.dropFirst())))
} catch {
  Usage.program.report(error)
  exit(error.status)
}
