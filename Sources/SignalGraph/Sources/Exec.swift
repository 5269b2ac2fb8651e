import JSON
import ReactiveCore

extension SourceDeclaration {
  static let exec = SourceDeclaration(
    "exec", "Runs a program and emits each line that it prints; it ends as the program does.", kind: .source,
    Parameter<Command>("command", "the program and its arguments", .only),
    Parameter<LineFormat>("format", "what a line is", .beside, initial: .text)
  ) { context, command, format in
    let (stream, output) = Stream.pipe()
    context.keep(output)
    let program = Program(command.words, owner: context.signal.name)
    let lines = LineValues(format, to: output, context)
    context.onStart {
      let run = context.world.start(program) { event in
        switch event {
        case .output(let bytes): lines.append(bytes)
        case .ended(let end):
          lines.finish()
          context.finish(output, end.failure(of: program))
        }
      }
      context.body.onEnd { run.terminate() }
    }
    return stream
  }
}

extension OperatorContext {
  /// Ends a stream from outside, as a turn of its own: it completes, or fails where there is a failure.
  fileprivate func finish(_ output: StreamObserver, _ failure: SignalFailure?) {
    guard !body.hasEnded else { return }
    turns.run {
      if let failure { output.send(error: failure) } else { output.sendCompleted() }
    }
  }
}
