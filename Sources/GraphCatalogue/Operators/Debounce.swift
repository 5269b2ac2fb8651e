import GraphEngine
import GraphModel
import Signals

/// The treatment of a pending value at completion.
enum CompletionPolicy: String, WordParameter {
  case flush, discard

  var rule: OnCompletion { self == .flush ? .flush : .discard }
}

extension OperatorDeclaration {
  static let debounce = OperatorDeclaration(
    "debounce", "Emits the latest value once the input has been quiet for a while.",
    Parameter<Duration>("interval", "the required quiet time", .plain),
    Parameter<CompletionPolicy>("on_completion", "emit the pending value, or drop it", initial: .flush),
    dependence: .memory,
    example: OperatorExample("debounce: 2s", in: "1--23-----4|", out: "--1---3----(4|)")
  ) { input, context, interval, onCompletion in
    input.debounce(interval, on: context.scheduler(), onCompletion: onCompletion.rule)
  }
  .alsoKnown(
    as: "settle", "quiet", "for", "stable for", "debounceTime", "hysteresis", "wait until quiet", "pending period")
}
