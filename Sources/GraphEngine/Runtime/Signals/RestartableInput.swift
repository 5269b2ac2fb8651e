package import GraphModel
package import JSON
import Signals

/// A stream that can be built again after it has ended.
package struct RestartableInput {
  /// The instructions for building it again, as a body of its own.
  package struct Again {
    /// The named signals that it is computed from.
    let names: [String]
    /// The body that it is a part of, and its place there.
    let owner: RunningBody
    let place: Int
    let make: (RunningBody) -> Stream

    /// Builds it, from its saved state if there is one; then it resumes with its owner.
    func build(kept: StateDecoder? = nil) -> (run: RunningBody, stream: Stream) {
      let (run, stream) = owner.part(at: place, kept: kept, make)
      if kept != nil { owner.add(run) }
      return (run, stream)
    }
  }

  let stream: Stream
  let again: Again?

  package init(_ stream: Stream, again: Again? = nil) {
    self.stream = stream
    self.again = again
  }

  package func map(_ transform: @escaping (Payload) -> Payload) -> RestartableInput {
    through { $0.map(transform) }
  }

  /// Returns the input with `change` applied to its stream.
  package func through(_ change: @escaping (Stream) -> Stream) -> RestartableInput {
    let again = again.map { again in
      Again(names: again.names, owner: again.owner, place: again.place) { change(again.make($0)) }
    }
    return RestartableInput(change(stream), again: again)
  }
}
