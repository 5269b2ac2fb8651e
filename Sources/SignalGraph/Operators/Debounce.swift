import ReactiveCore

/// The fate at completion of a value that is still held back.
enum CompletionPolicy: String, WordParameter {
  case flush, discard

  var rule: OnCompletion { self == .flush ? .flush : .discard }
}

extension OperatorDeclaration {
  static let debounce = OperatorDeclaration(
    "debounce", "Passes on the latest value once the input has been quiet for a while.",
    Parameter<Duration>("interval", "how long the input must stay quiet", .plain),
    Parameter<CompletionPolicy>("on_completion", "emit the value that is held, or drop it", initial: .flush),
    example: OperatorExample("debounce: 2s", in: "1--23-----4|", out: "--1---3----(4|)")
  ) { input, context, interval, onCompletion in
    input.debounce(interval, on: context.scheduler(), onCompletion: onCompletion.rule)
  }
}
