import CThread
import Synchronization

/// A thread's choice to keep what it makes to itself, at a lower cost.
///
/// A value of a signal takes and gives back a lock, which costs two locked instructions of the processor. A program
/// that uses its signals on one thread can do without: confined signals take plain instructions.
public enum Confinement {
  private static let lastNumber = Atomic<UInt16>(0)

  /// Carries work out that confines the pipes, properties, runs and joins that it makes to the calling thread.
  ///
  /// They stay confined afterwards, with all signals derived from them. They may be sent to, observed, disposed of and
  /// let go on this thread only; elsewhere that stops the program, in debug builds with a message. Blocking calls,
  /// bridges to tasks and schedulers that go by other threads do not fit in with that.
  ///
  /// - Parameter work: The work to carry out; it may confine in turn.
  /// - Returns: The result of the work.
  public static func during<Result, Failure: Error>(
    _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if signalbox_thread_number() == 0 { signalbox_set_thread_number(newNumber()) }
    let before = signalbox_is_confining()
    signalbox_set_confining(true)
    defer { signalbox_set_confining(before) }
    return try work()
  }

  /// The number of the thread to which what it makes now is confined; 0 if it is not.
  static var present: UInt16 { signalbox_is_confining() ? signalbox_thread_number() : 0 }

  private static func newNumber() -> UInt16 {
    // A domain has two bytes to spare for it.
    let (before, number) = lastNumber.add(1, ordering: .relaxed)
    precondition(before < number, "more than 65,535 threads have confined signals")
    return number
  }
}
