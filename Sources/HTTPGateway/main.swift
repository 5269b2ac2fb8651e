// signalbox-http: parses the options, opens the sockets, runs the gateway, and reports failures. Exit statuses are
// those of sysexits.h.

internal import Glibc
internal import Linux

func run(_ arguments: [String]) throws(StartFailure) -> Int32 {
  CurrentProcess.hold(signal: SIGHUP)
  CurrentProcess.ignoreBrokenPipes()
  CurrentProcess.returnLargeBlocks()
  let options = try Usage.parse(arguments)
  if options.has("help") { return Usage.say(WrappedText.text(Usage.help, width: Terminal.size?.columns)) }
  if options.has("version") { return Usage.say("signalbox-http \(Gateway.version)\n") }
  if let name = options.argument(of: "new-token") { return Usage.say(NewToken(name: name).text) }
  if options.has("manual") { return Usage.say(Usage.manual.text) }
  if let shell = options.argument(of: "completions") { return Usage.say(try Usage.completions(for: shell)) }
  if options.has("openapi") { return Usage.say(Gateway.description) }
  let log = Log.standard(identifier: "signalbox-http")
  let view = options.has("view") ? View() : nil
  let settings = try GatewaySettings(options, ownToken: view?.token)
  do {
    try CurrentProcess.raiseDescriptorLimit()
    let loop = try EventLoop()
    let gateway = try Gateway(settings, loop: loop, log: log)
    let listeners =
      if let view { [try view.listener()] } else { try GatewayListener.all(options.arguments(of: "listen")) }
    for listener in listeners { try gateway.serve(listener) }
    let ends = try [SIGTERM, SIGINT].map { try loop.addSignal($0) { loop.stop() } }
    let hangUp = try loop.addSignal(SIGHUP) { settings.readTokensAgain(log) }
    view?.open(listeners[0])
    ServiceManager.notify(.ready)
    log.notice("ready", ("listen", listeners.map(\.address).joined(separator: " ")))
    let status = try withExtendedLifetime((ends, hangUp, view)) { try loop.run() }
    ServiceManager.notify(.stopping)
    gateway.stop()
    for listener in listeners { listener.unlink() }
    return status
  } catch let failure as StartFailure {
    throw failure
  } catch {
    throw StartFailure("\(error)", status: EX_OSERR)
  }
}

do throws(StartFailure) {
  exit(try run(Array(CommandLine.arguments.dropFirst())))
} catch {
  if let journal = Log.journal(identifier: "signalbox-http") {
    journal.error(error.message)
  } else {
    try? Transfer(StandardStream.error.rawValue).writeAll("signalbox-http: \(error.message)\n")
  }
  exit(error.status)
}
