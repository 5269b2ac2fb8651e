import Linux
import SignalGraph

/// A program that stays from one call to the next: each is a line of its input, and is answered by a line of its output.
final class KeptProgram {
  private let program: Program
  private let input: InputPipe
  private let log: SignalLog
  private var run: (any RunningProgram)?
  /// The call that waits for an answer.
  private var call: KeptCall?
  private var isEnding = false
  /// Called when it has answered.
  private let onAnswer: (KeptProgram) -> Void
  /// Called when it is gone, before the call under way is told.
  private let onEnd: (KeptProgram) -> Void

  init(
    _ program: Program, _ input: InputPipe, log: SignalLog, onAnswer: @escaping (KeptProgram) -> Void,
    onEnd: @escaping (KeptProgram) -> Void
  ) {
    self.program = program
    self.input = input
    self.log = log
    self.onAnswer = onAnswer
    self.onEnd = onEnd
  }

  var owner: String { program.owner }
  var command: [String] { program.command }
  /// True if it waits for a call.
  var isIdle: Bool { call == nil && !isEnding }

  /// Records its run, which has begun.
  func begin(_ run: any RunningProgram) { self.run = run }

  /// Writes the line of a call.
  ///
  /// - Returns: False if the program reads no more, and has not seen it.
  func answer(_ call: KeptCall, _ line: [UInt8]) -> Bool {
    guard input.write(line) else {
      end()
      return false
    }
    self.call = call
    call.program = self
    return true
  }

  /// Ends it by SIGTERM; the call under way fails.
  func end() {
    guard !isEnding else { return }
    isEnding = true
    run?.terminate()
  }

  /// Ends it if a call waits for it.
  func cancel(_ call: KeptCall) {
    if self.call === call { end() }
  }

  /// Handles an event of its run.
  func receive(_ event: ProgramEvent) {
    switch event {
    case .output(let bytes): receive(bytes)
    case .ended(let end):
      onEnd(self)
      guard let call = call.take() else { return noteIdleEnd(end) }
      call.receive(event)
    }
  }

  private func receive(_ bytes: [UInt8]) {
    guard let call else { return noteStrayOutput() }
    guard let newline = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return call.receive(.output(bytes)) }
    if newline + 1 < bytes.count { noteStrayOutput() }
    // The next call may begin within these.
    self.call = nil
    call.receive(.output(Array(bytes[...newline])))
    call.receive(.ended(.exited(0)))
    onAnswer(self)
  }

  private func noteStrayOutput() {
    guard !isEnding else { return }
    log.write(.warning, "\(command[0]): dropped output that no call waits for", of: owner, ("program", command[0]))
  }

  private func noteIdleEnd(_ end: ProgramEnd) {
    guard !isEnding, end != .exited(0) else { return }
    log.write(
      .notice, "\(command[0]) has ended; the next call starts it again", of: owner, ("program", command[0]))
  }
}

/// A call of a program that stays.
final class KeptCall: RunningProgram {
  fileprivate let receive: (ProgramEvent) -> Void
  fileprivate weak var program: KeptProgram?

  init(_ receive: @escaping (ProgramEvent) -> Void) { self.receive = receive }

  func terminate() { program?.cancel(self) }
}
