package import GraphModel
package import JSON
package import Signals

/// Records running graphs, for questions about what led to what.
///
/// Parts of a graph are handed to it as they are built, and it gives back what is to stand in their place. Without one,
/// graphs are built as they are.
package protocol GraphWatch: AnyObject {
  /// Starts recording an engine.
  func begin(_ engine: GraphEngine)

  /// Records a new body.
  func begin(_ body: RunningBody)

  /// Records a body that starts as part of another one.
  func note(_ body: RunningBody, asPartOf parent: RunningBody)

  /// Instruments a stream.
  func tap(_ stream: Stream, at index: Int, of body: RunningBody) -> Stream

  /// Instruments the step for each value.
  func tap(_ step: @escaping Step, at index: Int, of body: RunningBody) -> Step

  /// Records an error that leaves its signal and bypasses the downstream operators.
  func leaving(_ error: Payload, at index: Int, of body: RunningBody, _ send: () -> Void)

  /// Records the emission of a named signal.
  func emit(_ event: SignalEvent, by signal: RunningSignal, _ send: () -> Void)

  /// Instruments a join.
  ///
  /// - Returns: A function to call for each collected event, and one to run its rule with.
  func joining(at place: DeclaredPlace) -> (collected: () -> Void, settling: (_ rule: () -> Void) -> Void)

  /// Instruments the action of a timer.
  func timing(_ due: Instant, at place: DeclaredPlace?, _ action: @escaping () -> Void) -> () -> Void

  /// Instruments a turn opened by another one.
  func sending(to target: String, _ action: @escaping () -> Void) -> () -> Void

  /// Records a value that was refused.
  func refuse(_ refusal: RefusedValue)
}
