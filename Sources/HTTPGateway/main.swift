// signalbox-http: parses the options, opens the sockets, runs the gateway, and reports failures. Exit statuses are
// those of sysexits.h.

internal import Glibc
internal import Linux

func run(_ arguments: [String]) throws(StartFailure) -> Int32 {
  CurrentProcess.hold(signal: SIGHUP)
  CurrentProcess.ignoreBrokenPipes()
  CurrentProcess.returnLargeBlocks()
  let options = try Usage.program.parse(arguments)
  if let status = try Usage.program.answer(options) { return status }
  if let name = options.argument(of: "new-token") { return OptionProgram.print(NewToken(name: name).text) }
  if options.has("openapi") { return OptionProgram.print(Gateway.description) }
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

StandardStream.reserve()
do throws(StartFailure) {
  exit(try run(Array(CommandLine.arguments.dropFirst())))
} catch {
  Usage.program.report(error)
  ServiceManager.notify(.status("failed to start: \(error.message.prefix { !$0.isNewline })"))
  WaitingClients.turnAway()
  exit(error.status)
}
