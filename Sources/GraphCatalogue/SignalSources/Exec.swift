import GraphEngine
import GraphModel
import JSON
import Signals

extension SourceDeclaration {
  static let exec = SourceDeclaration(
    "exec", "Runs a program and emits each line of its output; ends with the program.", kind: .source,
    Parameter<Command>("command", "the program and its arguments", .only),
    Parameter<LineFormat>("format", "the format of a line", .beside, initial: .text),
    Parameter<LineEncoding>("encoding", LineEncoding.meaning, .beside, initial: .utf8),
    Parameter<Multiline?>("multiline", Multiline.meaning, .beside, initial: .some(nil)),
    Parameter<GraphExpression?>(
      "input", "an expression for its standard input; in a signal started by flat_map it sees $value",
      .beside, initial: .some(nil))
  ) { context, command, format, encoding, multiline, input in
    let (stream, output) = Stream.pipe()
    context.keep(output)
    let input = input.map { context.evaluator(of: $0) }
    let lines = LineValues(format, encoding, multiline: multiline, to: output, context)
    context.onAttach { world, attachment in
      // A partial line of one run is not continued by the next.
      if attachment == .another { lines.restart() }
      let program: Program
      do throws(SignalFailure) {
        program = Program(
          command.words, input: try input?.line(of: .value(.null)) ?? [], owner: context.signal.name)
      } catch {
        return output.send(error: error)
      }
      if attachment != .same { context.signal.count(.start) }
      let run = world.start(program) { event in
        switch event {
        case .output(let bytes): lines.append(bytes)
        case .ended(let end):
          lines.finish()
          let failure = end.failure(of: program)
          if !context.body.hasEnded { context.note(failure) }
          context.finish(output, failure)
        }
      }
      context.body.onEnd { run.terminate() }
    }
    return stream
  }
  .alsoKnown(as: "curl", "program", "command", "script", "process", "poll", "shell")
}

extension OperatorContext {
  /// Counts and logs the failure of a program, which could go unnoticed if the signal restarts it.
  fileprivate func note(_ failure: SignalFailure?) {
    guard let failure else { return }
    signal.count(.failure)
    world.log(failure.message, signal: signal.name)
  }

  /// Ends a stream from outside in a turn of its own: fails it if there is a failure, else completes it.
  fileprivate func finish(_ output: StreamObserver, _ failure: SignalFailure?) {
    guard !body.hasEnded else { return }
    turns.run {
      if let failure { output.send(error: failure) } else { output.sendCompleted() }
    }
  }
}

extension Evaluator {
  /// Returns the first output for a value as a line of JSON, for a program's input.
  ///
  /// - Throws: `empty` without an output, or the evaluation's error.
  fileprivate func line(of payload: Payload) throws(SignalFailure) -> [UInt8] {
    guard let value = try first(of: payload) else { throw .empty("input has no output") }
    return Payload.value(value).json + [UInt8(ascii: "\n")]
  }
}
