import JSON
import Signals

/// The work of a call: a program that runs, or a method that is called.
///
/// It receives the call whenever it may report to it, and does not retain it beyond its end.
protocol CallWork: AnyObject, StateRestorable {
  /// Starts with the value of the call.
  func start(with value: Payload?, for call: any WorkingCall)

  /// Resumes from the saved state of the call.
  func resume(for call: any WorkingCall)

  /// Requests the end, which is reported to the call, possibly at once.
  func terminate(for call: any WorkingCall)

  func restore(from reader: inout StateDecoder) throws(StateError)
}
