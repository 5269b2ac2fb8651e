internal import JSON

/// A compiled piece of an expression.
///
/// Most pieces make one output or none for an input: they are `isDirect`, and are asked with `direct`, which costs no
/// more than the call. Generators push their outputs to a sink with `each`, which can stop them early. `paths` is the
/// same with the path of each output, for `path(…)` and assignments.
protocol Node: AnyObject, Sendable {
  /// Whether there is never more than one output.
  var isDirect: Bool { get }

  /// The output, or `nil` when there is none. Only a direct node may be asked; `first` may be asked of any.
  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue?

  /// Whether it is direct and its output is its input with some change, which `change` makes in place.
  var isEdit: Bool { get }

  /// Puts the output in the place of the input, so that a state can grow without being copied each time; gives false
  /// when there is no output.
  func change(_ value: inout JSONValue, _ frame: Frame) throws(ExpressionError) -> Bool

  /// Pushes each output until the sink has had enough.
  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow

  /// Pushes each output with its path.
  func paths(_ input: Located, _ frame: Frame, _ sink: LocatedSink) throws(ExpressionError) -> Flow
}

/// The bindings and the environment that a node sees beside its input.
struct Frame {
  // The caller of an evaluation holds the environment. Counting references to it took a quarter of `.v * 2 + 1`.
  private let unmanaged: Unmanaged<Environment>
  /// The innermost binding of a variable or function argument.
  let scope: Scope?

  init(_ environment: Environment, _ scope: Scope?) {
    unmanaged = .passUnretained(environment)
    self.scope = scope
  }

  var environment: Environment { unmanaged.takeUnretainedValue() }

  /// Counts one step.
  @inline(__always)
  func step() throws(ExpressionError) {
    if !unmanaged._withUnsafeGuaranteedRef({ $0.hasStep() }) { throw Environment.tooManySteps }
  }

  /// The frame inside of one more binding.
  func binding(_ value: JSONValue) -> Frame { Frame(environment, Scope(value, within: scope)) }
}

/// Takes outputs together with their paths.
typealias LocatedSink = (Located) throws(ExpressionError) -> Flow

extension Node {
  var isEdit: Bool { false }

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    try firstPushed(input, frame)
  }

  func change(_ value: inout JSONValue, _ frame: Frame) throws(ExpressionError) -> Bool {
    guard let output = try direct(value, frame) else { return false }
    value = output
    return true
  }

  /// The first output of any node; a generator is stopped after it.
  func first(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    isDirect ? try direct(input, frame) : try firstPushed(input, frame)
  }

  private func firstPushed(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    var first: JSONValue?
    _ = try each(input, frame) { output throws(ExpressionError) in
      first = output
      return .stop
    }
    return first
  }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    guard let output = try direct(input, frame) else { return .next }
    return try sink(output)
  }

  /// A node that makes new values: they are nowhere in the input.
  func paths(_ input: Located, _ frame: Frame, _ sink: LocatedSink) throws(ExpressionError) -> Flow {
    try each(input.value, frame) { output throws(ExpressionError) in try sink(input.replaced(by: output)) }
  }
}
