import GraphEngine
import GraphModel
import Signals

extension SourceDeclaration {
  static let from = SourceDeclaration(
    "from", "Passes on another signal.", kind: .derived,
    Parameter<SignalReference>("signal", "the other signal", .only),
    dependence: .event
  ) { context, signal in
    context.stream(of: signal)
  }
}
