internal import Linux
internal import WireProtocol

extension Command {
  static let ping = Command(
    name: "ping", operands: "", summary: "measure the response time of the daemon",
    examples: [Example("signalbox ping || systemctl restart signalbox", "health check")]
  ) { invocation throws(CommandError) in
    _ = try invocation.operands(0...0)
    let connection = try invocation.connect()
    let start = MonotonicInstant.now()
    _ = try connection.ask(PingRequest())
    let time = (MonotonicInstant.now() - start).nanoseconds / 1000
    if !invocation.isJSON { invocation.output.line("answered in \(time) µs") }
  }
}
