import JSON
import ReactiveCore

/// A stream that can be made once more after it has ended.
struct RenewableInput {
  let stream: Stream
  /// Makes the stream once more where it is computed from one of the signals that start anew.
  let again: ((_ renewed: Set<String>) -> (RunningBody, Stream)?)?

  init(_ stream: Stream, again: ((Set<String>) -> (RunningBody, Stream)?)? = nil) {
    self.stream = stream
    self.again = again
  }

  func map(_ transform: @escaping (Payload) -> Payload) -> RenewableInput {
    through { $0.map(transform) }
  }

  /// The same with something between it and who hears it.
  func through(_ change: @escaping (Stream) -> Stream) -> RenewableInput {
    guard let again else { return RenewableInput(change(stream)) }
    return RenewableInput(change(stream)) { renewed in
      again(renewed).map { run, stream in (run, change(stream)) }
    }
  }
}
