import GraphEngine
import GraphModel
import Signals

extension OperatorDeclaration {
  static let concat = OperatorDeclaration(
    "concat", "Continues with another signal at completion; earlier values of a shared one are queued.",
    Parameter<SignalReference>("signal", "the signal that follows", .only),
    dependence: .memory,
    example: OperatorExample("concat: other", in: "1-2--|", others: ["other": "-8----9|"], out: "1-2--89|")
  ) { input, context, other in
    Stream { output, lifetime in
      let second = context.following(other, limit: defaultWaiting, .fail, failing: output, lifetime)
      context.concat(context.gated(input, beforeStarting: [other]), [second], output, lifetime)
    }
  }
  .alsoKnown(as: "append", "followed by", "sequence")
}
