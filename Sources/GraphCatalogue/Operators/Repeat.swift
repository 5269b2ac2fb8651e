import GraphEngine
import GraphModel
import Signals

extension OperatorDeclaration {
  static let `repeat` = OperatorDeclaration.starting(
    "repeat", "Restarts the source when it completes.",
    Parameter<Int?>("times", "the total number of runs; unlimited by default", .plain, initial: .some(nil)),
    Parameter<Duration?>("delay", "the delay before each further run", initial: .some(nil)),
    repeatedly: true,
    dependence: .memory,
    example: OperatorExample("repeat: 2", in: "1-2-|", isCold: true, out: "1-2-1-2-|"),
    check: { times, delay in
      if times == nil, delay == nil { return "give times, or a delay" }
      return times == nil && (delay ?? .zero) < .milliseconds(1) ? "without times the delay must be 1ms or more" : nil
    }
  ) { input, context, times, delay in
    let times = times ?? .max
    guard times > 0 else { return context.generate([], then: .completed) }
    return Stream { output, lifetime in
      let succession = Succession(context, output, lifetime) { _ in
        input
      } verdict: { number, ending in
        guard case .completed = ending, number < times - 1 else { return .end(ending) }
        return delay.map { .later($0) } ?? .next
      }
      succession.begin()
    }
  }
  .alsoKnown(as: "loop", "times")
}
