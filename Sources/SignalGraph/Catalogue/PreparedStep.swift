import JSON

/// A source or an operator at its place in a declaration, its parameters read and found right.
///
/// There is one object for each place, and a file may have tens of thousands of them: what all uses of an operator
/// share stands in its declaration, and what can be worked out is not stored.
protocol PreparedStep: AnyObject, Sendable {
  /// The source's or operator's own name.
  var name: String { get }
  var ranks: Ranks { get }
  /// The signals that its parameters name, in their order.
  var references: [SignalReference] { get }
}

/// A source whose parameters were read and found right.
protocol PreparedSource: PreparedStep {
  var kind: SignalKind { get }
  /// Whether its values are held for newcomers, whatever the signal's traits say.
  var isHeld: Bool { get }
  var needs: [OutsideNeed] { get }
  /// Makes the stream; what it emits at the start it leaves to `context.onStart`.
  func build(_ context: OperatorContext) -> Stream
}

/// An operator whose parameters were read and found right.
protocol PreparedOperator: PreparedStep {
  var work: OperatorWork { get }
  /// The signals that it sends to.
  var targets: [String] { get }
  /// The actions that it calls.
  var calls: [String] { get }
  /// The operators within it that its values go through, in their order.
  var steps: [any PreparedOperator] { get }
}

/// How an operator takes part in a body.
enum OperatorWork {
  /// It works on what comes.
  case onward((Stream, OperatorContext) -> Stream)
  /// It works on each value by itself, and lets endings pass.
  case each((OperatorContext) -> Step)
  /// It starts what stands before it, perhaps again and again.
  case starting(repeatedly: Bool, (Recipe, OperatorContext) -> Stream)

  var startsItsInput: Bool {
    if case .starting = self { true } else { false }
  }

  var startsItsInputAgain: Bool {
    if case .starting(repeatedly: true, _) = self { true } else { false }
  }
}

/// The work on one value: any number of values and an ending are sent before it returns.
typealias Step = (Payload, StreamObserver) -> Void

extension PreparedSource {
  /// Whether clients and bindings may send to it.
  var takesValues: Bool { kind == .input || kind == .property }
}
