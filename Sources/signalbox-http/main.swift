// signalbox-http: parses the options, opens the sockets, runs the gateway, and reports failures. Exit statuses are
// those of sysexits.h.

import Glibc
import HTTPGateway
import Linux

func run(_ arguments: [String]) throws(StartFailure) -> Int32 {
  CurrentProcess.hold(signal: SIGHUP)
  CurrentProcess.ignoreBrokenPipes()
  CurrentProcess.returnLargeBlocks()
  let options = try parse(arguments)
  if options.has("help") { return say(WrappedText.text(Usage.help, width: Terminal.size?.columns)) }
  if options.has("version") { return say("signalbox-http \(Gateway.version)\n") }
  if let name = options.argument(of: "new-token") { return say(NewToken(name: name).text) }
  if options.has("manual") { return say(Usage.manual.text) }
  if let shell = options.argument(of: "completions") { return say(try completions(for: shell)) }
  if options.has("openapi") { return say(Gateway.description) }
  let log = Log.standard(identifier: "signalbox-http")
  let view = options.has("view") ? View() : nil
  var settings = try GatewaySettings(
    daemonSocket: options.argument(of: "socket") ?? CurrentProcess.environment("SIGNALBOX_SOCKET")
      ?? GatewaySettings.defaultSocket,
    configuration: options.argument(of: "config") ?? GatewaySettings.defaultConfiguration,
    hosts: options.options.filter { $0.name == "host" }.compactMap(\.argument),
    tokenFile: options.argument(of: "token-file"), ownToken: view?.token)
  settings.state = options.argument(of: "state").map(CurrentProcess.absolutePath)
  let origins = options.options.filter { $0.name == "allow-origin" }.compactMap(\.argument)
  for origin in origins {
    guard let mistake = AllowedOrigins.mistake(in: origin) else { continue }
    throw StartFailure("--allow-origin \(mistake), not \(origin)", status: EX_USAGE)
  }
  settings.origins = AllowedOrigins(origins)
  if let path = options.argument(of: "static") { settings.pages = try folder(ofPages: path) }
  if let text = options.argument(of: "max-connections") {
    settings.mostConnections = try count(text, "max-connections")
  }
  if let text = options.argument(of: "max-token-requests") {
    settings.mostTokenRequests = try count(text, "max-token-requests")
  }
  do {
    try CurrentProcess.raiseDescriptorLimit()
    let loop = try EventLoop()
    let gateway = try Gateway(settings, loop: loop, log: log)
    let addresses = options.options.filter { $0.name == "listen" }.compactMap(\.argument)
    let listeners =
      if let view { [try view.listener()] } else { try GatewayListener.all(addresses) }
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

func parse(_ arguments: [String]) throws(StartFailure) -> ParsedArguments {
  do throws(UsageError) {
    let parsed = try OptionParser.parse(arguments, Usage.options)
    if let operand = parsed.operands.first { throw UsageError("unexpected argument \(operand)") }
    return parsed
  } catch { throw StartFailure("\(error); see signalbox-http --help", status: EX_USAGE) }
}

func folder(ofPages path: String) throws(StartFailure) -> String {
  let path = CurrentProcess.absolutePath(path)
  guard FilePermissions(path: path)?.isFolder == true else {
    throw StartFailure("--static must be a folder, not \(path)", status: EX_USAGE)
  }
  return path
}

func count(_ text: String, _ option: String) throws(StartFailure) -> Int {
  if let count = Int(text), (1...100_000).contains(count) { return count }
  throw StartFailure("--\(option) must be a number from 1 to 100000, not \(text)", status: EX_USAGE)
}

func completions(for shell: String) throws(StartFailure) -> String {
  if let script = OptionCompletions("signalbox-http", Usage.options).script(for: shell) { return script }
  let shells = OptionCompletions.shells.joined(separator: ", ")
  throw StartFailure("unsupported shell \(shell); supported: \(shells)", status: EX_USAGE)
}

func say(_ text: String) -> Int32 {
  (try? Transfer(StandardStream.output.rawValue).writeAll(text)) == nil ? EX_IOERR : EX_OK
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
