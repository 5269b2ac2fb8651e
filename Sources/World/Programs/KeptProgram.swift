import Base
import GraphEngine
import JSON
import Linux

/// A program that stays from one call to the next: each is a line of its input, and is answered by a line of its output.
///
/// One that answers otherwise is ended, since its answers could not be paired with calls.
final class KeptProgram {
  /// The program, without the input of a call.
  private let program: Program
  private let input: InputPipe
  private let log: SignalLog
  private var run: (any RunningProgram)?
  /// The call that waits for an answer.
  private var call: (handle: KeptCall, receive: (ProgramEvent) -> Void)?
  private var isEnding = false
  /// Called when it has answered.
  private let onAnswer: (KeptProgram) -> Void
  /// Called when it is gone, before the event of the call under way.
  private let onEnd: (KeptProgram) -> Void

  init(
    _ program: Program, _ input: InputPipe, log: SignalLog, onAnswer: @escaping (KeptProgram) -> Void,
    onEnd: @escaping (KeptProgram) -> Void
  ) {
    self.program = program.withoutInput
    self.input = input
    self.log = log
    self.onAnswer = onAnswer
    self.onEnd = onEnd
    input.onFailure = { [unowned self] in end() }
  }

  private var name: String { program.command[0] }
  private var command: [ExactText] { program.command.map(ExactText.init) }

  /// True if it waits for a call.
  var isIdle: Bool { call == nil && !isEnding }

  /// True if calls of another one are calls of this one, too.
  func serves(_ other: Program) -> Bool { program.owner == other.owner && command == other.command.map(ExactText.init) }

  /// True if an action has this command.
  ///
  /// - Parameter commands: The commands by action.
  func isDeclared(in commands: [String: [String]]) -> Bool { commands[program.owner]?.map(ExactText.init) == command }

  /// True if it waits for the calls that another one waits for.
  func isSpare(beside other: KeptProgram) -> Bool { self !== other && other.isIdle && other.serves(program) }

  /// Begins with the call that it is started for; if it reads nothing, the call fails with its end.
  func begin(
    _ run: any RunningProgram, _ handle: KeptCall, _ line: [UInt8], _ receive: @escaping (ProgramEvent) -> Void
  ) {
    self.run = run
    if !answer(handle, line, receive) { call = (handle, receive) }
  }

  /// Takes a call.
  ///
  /// - Returns: False if the program reads no more. It is ended, and has not seen the call.
  func answer(_ handle: KeptCall, _ line: [UInt8], _ receive: @escaping (ProgramEvent) -> Void) -> Bool {
    handle.program = self
    guard input.write(line) else {
      end()
      return false
    }
    call = (handle, receive)
    return true
  }

  /// Ends it by SIGTERM; the call under way fails.
  func end() {
    guard !isEnding else { return }
    isEnding = true
    run?.terminate()
  }

  /// Ends it if it is at work for a call: its answer would be taken for that of the next one.
  fileprivate func cancel(_ handle: KeptCall) {
    if call?.handle === handle { end() }
  }

  /// Handles an event of its run.
  func receive(_ event: ProgramEvent) {
    switch event {
    case .output(let bytes): receive(bytes)
    case .ended(let end):
      input.close()
      onEnd(self)
      if let call = call.take() { call.receive(event) } else { noteIdleEnd(end) }
    }
  }

  private func receive(_ bytes: [UInt8]) {
    guard let call else { return refuse("wrote output that no call asked for") }
    guard let newline = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return call.receive(.output(bytes)) }
    if newline + 1 < bytes.count { refuse("answered a call with more than one line") }
    if !input.isEmpty { refuse("answered a call without reading it") }
    // The next call may begin within these.
    self.call = nil
    call.receive(.output(Array(bytes[...newline])))
    call.receive(.ended(.exited(0)))
    onAnswer(self)
  }

  private func refuse(_ reason: String) {
    if isEnding { return }
    log.write(
      .warning, "\(name) \(reason): terminated, the next call starts it again", of: program.owner,
      ("program", name))
    end()
  }

  private func noteIdleEnd(_ end: ProgramEnd) {
    guard !isEnding, end != .exited(0) else { return }
    log.write(
      .notice, "\(name) ended between two calls: the next call starts it again", of: program.owner, ("program", name))
  }
}

/// The handle of a call of a program that stays.
final class KeptCall: RunningProgram {
  fileprivate(set) weak var program: KeptProgram?

  func terminate() { program?.cancel(self) }
}
