import JSON
import ReactiveCore

/// The work that a call has done: a program that runs, or a method that is called.
///
/// It is given the call whenever it may tell it something, and does not keep it beyond its end.
protocol CallWork: AnyObject {
  /// Begins, with the value of the call.
  func start(with value: Payload?, for call: any WorkingCall)

  /// Begins again where it stood when the call was written down.
  func goOn(for call: any WorkingCall)

  /// Asks it to end; it tells its end, at once perhaps.
  func terminate(for call: any WorkingCall)

  func store(in writer: inout StateWriter)
  func restore(from reader: inout StateReader) throws(StateError)
}
