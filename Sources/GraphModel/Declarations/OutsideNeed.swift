/// A resource outside the graphs that a service manager's sandbox may deny.
package enum OutsideNeed: Hashable, Sendable {
  case program
  case bus(BusChoice)
  case reading(_ path: String)
  case writing(_ path: String)
  /// Files below a folder.
  case writingBelow(_ folder: String)
  /// The system journal of this machine.
  case journal
  /// Something else of each machine, which no sandbox denies, for messages: "the uptime".
  case machine(_ subject: String)
  /// A connection to a peer on the network, by its name: an adapter has it.
  case connection(String)

  /// This need, extended to writing.
  package var forWriting: OutsideNeed {
    if case .reading(let path) = self { .writing(path) } else { self }
  }
}

extension SignalBody {
  /// Its own needs, those of inline declarations included.
  var needs: [OutsideNeed] { outsideSources.flatMap(\.needs) }

  /// The sources that follow programs, files and other things outside, those of inline declarations included.
  package var outsideSources: [any PreparedSource] {
    (source.needs.isEmpty ? [] : [source]) + inlineBodies.flatMap(\.outsideSources)
  }
}
