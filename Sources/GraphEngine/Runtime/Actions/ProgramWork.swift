import GraphModel
import JSON
import Signals

/// A program, run as the work of a call.
final class ProgramWork: CallWork, StateFields {
  private let declared: DeclaredProgram
  private let owner: String
  private var run: (any RunningProgram)?
  private var cutter = LineCutter()
  /// Created with the first run.
  private var parser: LineParser?
  /// The columns that the first line has named, if the format has a header.
  private var columns: [String]?
  private var lines = 0
  /// The error in the first line of output that is not a value.
  private var fault: SignalFailure?

  init(_ declared: DeclaredProgram, of action: String) {
    self.declared = declared
    owner = action
  }

  func code(_ field: inout StateCoder<ProgramWork>) throws(StateError) {
    try field(&lines)
    try field(&fault)
  }

  /// Runs the program with the value on its standard input.
  func start(with value: Payload?, for call: any WorkingCall) {
    // A program that stays waits for a line in any case.
    let line = value ?? (declared.isKept ? .value(.null) : nil)
    let input = line.map { $0.json + [UInt8(ascii: "\n")] } ?? []
    let program = Program(
      declared.command.words, input: input, environment: declared.isKept ? [] : call.environment, owner: owner,
      purpose: call.isEffect ? .effect : .call, isKept: declared.isKept)
    run(program, for: call)
  }

  /// Restarts the program, which cannot be resumed.
  func resume(for call: any WorkingCall) { start(with: call.valueAgain, for: call) }

  func terminate(for call: any WorkingCall) { run?.terminate() }

  private func run(_ program: Program, for call: any WorkingCall) {
    let limit = call.engine.limits.line
    parser = parser ?? call.engine.lineParser(declared.format)
    run = call.world.start(program) { [self] event in
      switch event {
      case .output(let bytes): take(for: call) { cutter.append(bytes, limit: limit, $0) }
      case .ended(let end):
        take(for: call) { cutter.finish(limit: limit, $0) }
        call.finish(end.failure(of: program) ?? fault ?? silence(of: program), status: end.status)
      }
    }
  }

  /// Returns the failure of a program that stays and has ended without an answer, whatever its status.
  private func silence(of program: Program) -> SignalFailure? {
    guard program.isKept, lines == 0 else { return nil }
    return SignalFailure(code: "exit", message: "\(program.command.first ?? "") exited without an answer")
  }

  /// Handles lines only once all are cut: one of them may end the program, and with it the cutter.
  private func take(for call: any WorkingCall, _ cut: ((LineCutter.Line) -> Void) -> Void) {
    var lines: [LineCutter.Line] = []
    cut { lines.append($0) }
    for line in lines { take(line, for: call) }
  }

  private func take(_ line: LineCutter.Line, for call: any WorkingCall) {
    lines += 1
    do throws(SignalFailure) {
      if let value = try parser?.payload(of: line, columns: &columns, call.engine.limits) { call.put(value) }
    } catch {
      fault = fault ?? SignalFailure(code: "failed", message: "line \(lines) of its output: \(error.message)")
      call.report(error, value: line.shown)
    }
  }
}
