package import Linux

/// One run of `signalbox-bridge`, which the daemon has started at one end of a socket pair; its messages go to the log.
package final class BridgeProcess {
  /// The most bytes of its messages to read at once.
  private static let mostBytes = 16_384

  private var process: ChildProcess
  private var messages: BridgeMessages
  private var handler: PollHandler?

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - name: The words before each of its messages.
  ///   - variable: The environment variable that tells the program its descriptor.
  ///   - passed: The program's end of the pair.
  package init(
    _ name: String, passing passed: borrowing OwnedDescriptor, variable: String, poller: Poller, log: Log
  ) throws(Errno) {
    process = try ChildProcess(
      [CurrentProcess.programBeside("signalbox-bridge")],
      environment: CurrentProcess.environmentOfChildren + ["\(variable)=3"], input: [], passing: passed.number)
    messages = BridgeMessages(name, log: log)
    handler = try PollHandler(poller, readable: process.errors.number) { [unowned self] in readMessages() }
  }

  /// The descriptor that is readable once it has ended.
  package var end: Int32 { process.end.number }

  private func readMessages() {
    guard let bytes = try? process.errors.transfer.read(upTo: Self.mostBytes), !bytes.isEmpty else {
      handler = nil
      return
    }
    messages.take(bytes)
  }

  /// Logs the rest of its messages.
  package func finishMessages() {
    readMessages()
    messages.finish()
  }

  /// Returns the status with which it has ended; `nil` while it runs.
  package func reap() -> ExitStatus? { try? process.reap() }

  /// Ends it at once, and logs nothing more.
  package func kill() {
    handler = nil
    process.kill()
  }
}
