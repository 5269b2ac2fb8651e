package import GraphModel

/// A source that can build streams.
///
/// A declaration (`PreparedSource`) has names, references and ranks; the engine alone knows streams.
package protocol BuildableSource: PreparedSource {
  /// Makes the stream; values for the start are left to `context.onStart`.
  func build(_ context: OperatorContext) -> Stream
}

/// An operator that can take part in a body.
package protocol BuildableOperator: PreparedOperator {
  var work: OperatorWork { get }
}

/// The ways in which an operator takes part in a body.
package enum OperatorWork {
  /// Works on the events of its input.
  case onward((Stream, OperatorContext) -> Stream)
  /// Works on each value by itself and lets endings pass.
  case each((OperatorContext) -> Step)
  /// Starts the pipe before it, possibly again and again.
  case starting(repeatedly: Bool, (Recipe, OperatorContext) -> Stream)

  package var startsItsInput: Bool {
    if case .starting = self { true } else { false }
  }

  package var startsItsInputAgain: Bool {
    if case .starting(repeatedly: true, _) = self { true } else { false }
  }
}

extension PreparedSource {
  /// Makes the stream of this source.
  func stream(in context: OperatorContext) -> Stream {
    guard let source = self as? any BuildableSource else { preconditionFailure("\(name) makes no streams") }
    return source.build(context)
  }
}

extension PreparedOperator {
  /// The way in which this operator takes part in a body.
  package var part: OperatorWork {
    guard let step = self as? any BuildableOperator else { preconditionFailure("\(name) takes part in no body") }
    return step.work
  }
}
