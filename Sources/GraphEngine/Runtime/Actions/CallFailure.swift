import GraphModel
import Signals

/// The failure of one attempt of a call.
struct CallFailure {
  let failure: SignalFailure
  /// The exit status of a program, or the status of an answer.
  let status: Int32?
  /// The advice of the executing side on another attempt.
  let advice: RetryAdvice?

  init(_ failure: SignalFailure, status: Int32?, _ advice: RetryAdvice? = nil) {
    self.failure = failure
    self.status = status
    self.advice = advice
  }
}
