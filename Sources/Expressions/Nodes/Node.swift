internal import JSON

/// A compiled part of an expression.
///
/// Most nodes produce at most one output for an input: they are `isDirect` and evaluated with `direct`, which costs no
/// more than the call. Generators push their outputs to a sink with `each`, which can stop them early. `paths` adds the
/// path of each output, for `path(…)` and assignments.
protocol Node: AnyObject, Sendable {
  /// True if there is at most one output.
  var isDirect: Bool { get }

  /// Returns the output, or `nil` without one. Only for direct nodes; `first` works for any.
  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue?

  /// True if it is direct and its output is its changed input, which `change` modifies in place.
  var isEdit: Bool { get }

  /// Replaces the input by the output, so that a state can grow without being copied each time; returns false without
  /// an output.
  func change(_ value: inout JSONValue, _ frame: Frame) throws(ExpressionError) -> Bool

  /// Pushes each output until the sink stops.
  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow

  /// Pushes each output with its path.
  func paths(_ input: Located, _ frame: Frame, _ sink: LocatedSink) throws(ExpressionError) -> Flow

  /// True if it is direct and can read its input in place: see `number` and `truth`.
  var readsText: Bool { get }

  /// Returns the number that it outputs for an object with an outline; `nil` if values are needed to find out.
  ///
  /// Until then it charges the steps that `direct` charges.
  func number(in object: RawJSON, _ frame: Frame) throws(ExpressionError) -> Double?

  /// Returns true if its output for an object with an outline is neither false nor null; `nil` as for `number`.
  func truth(in object: RawJSON, _ frame: Frame) throws(ExpressionError) -> Bool?
}

/// The bindings and the environment of a node, in addition to its input.
struct Frame {
  // The caller of an evaluation retains the environment. Counting references to it took a quarter of `.v * 2 + 1`.
  private let unmanaged: Unmanaged<Environment>
  /// The innermost binding of a variable or function argument.
  let scope: Scope?

  init(_ environment: Environment, _ scope: Scope?) {
    unmanaged = .passUnretained(environment)
    self.scope = scope
  }

  var environment: Environment { unmanaged.takeUnretainedValue() }

  /// Charges one step.
  @inline(__always)
  func step() throws(ExpressionError) {
    if !unmanaged._withUnsafeGuaranteedRef({ $0.hasStep() }) { throw Environment.tooManySteps }
  }

  /// Returns the frame with one more binding.
  func binding(_ value: JSONValue) -> Frame { Frame(environment, Scope(value, within: scope)) }
}

extension Node {
  var isEdit: Bool { false }
  var readsText: Bool { false }

  func number(in object: RawJSON, _ frame: Frame) throws(ExpressionError) -> Double? { nil }

  func truth(in object: RawJSON, _ frame: Frame) throws(ExpressionError) -> Bool? {
    try number(in: object, frame) == nil ? nil : true
  }

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    try firstPushed(input, frame)
  }

  func change(_ value: inout JSONValue, _ frame: Frame) throws(ExpressionError) -> Bool {
    guard let output = try direct(value, frame) else { return false }
    value = output
    return true
  }

  /// Returns the first output of any node; a generator is stopped after it.
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

  /// Pushes outputs without paths: the default for nodes that make new values.
  func paths(_ input: Located, _ frame: Frame, _ sink: LocatedSink) throws(ExpressionError) -> Flow {
    try each(input.value, frame) { output throws(ExpressionError) in try sink(input.replaced(by: output)) }
  }
}
