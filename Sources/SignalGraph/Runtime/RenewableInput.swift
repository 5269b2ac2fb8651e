import JSON
import ReactiveCore

/// A stream that can be made once more after it has ended.
struct RenewableInput {
  /// How to make it once more, as a body of its own.
  struct Again {
    /// The named signals that it is computed from.
    let names: [String]
    /// The body that it is a part of, and where.
    let owner: RunningBody
    let place: Int
    let make: (RunningBody) -> Stream

    /// Makes it, as it was kept if anything was; then it goes on with its owner.
    func build(kept: StateReader? = nil) -> (run: RunningBody, stream: Stream) {
      let (run, stream) = owner.part(at: place, kept: kept, make)
      if kept != nil { owner.add(run) }
      return (run, stream)
    }
  }

  let stream: Stream
  let again: Again?

  init(_ stream: Stream, again: Again? = nil) {
    self.stream = stream
    self.again = again
  }

  func map(_ transform: @escaping (Payload) -> Payload) -> RenewableInput {
    through { $0.map(transform) }
  }

  /// The same with something between it and who hears it.
  func through(_ change: @escaping (Stream) -> Stream) -> RenewableInput {
    let again = again.map { again in
      Again(names: again.names, owner: again.owner, place: again.place) { change(again.make($0)) }
    }
    return RenewableInput(change(stream), again: again)
  }
}
