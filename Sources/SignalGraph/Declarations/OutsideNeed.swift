/// A graph's need of something outside it, which a service manager may keep from it.
package enum OutsideNeed: Hashable, Sendable {
  case program
  case bus(BusChoice)
  case reading(_ path: String)
  case writing(_ path: String)
  /// Files below a folder.
  case writingBelow(_ folder: String)
  /// The journal of this machine.
  case journal

  /// The same of something that is written as well.
  var forWriting: OutsideNeed {
    if case .reading(let path) = self { .writing(path) } else { self }
  }
}

extension Configuration {
  /// The outside needs of its signals and actions, each with the names of those that have it, in the files' order.
  package var outsideNeeds: [(need: OutsideNeed, users: [String])] {
    var order: [OutsideNeed] = []
    var users: [OutsideNeed: [String]] = [:]
    func note(_ need: OutsideNeed, of user: String) {
      if users[need] == nil { order.append(need) }
      if users[need]?.last != user { users[need, default: []].append(user) }
    }
    for graph in graphs {
      for signal in graph.signals {
        for need in signal.body.needs { note(need, of: signal.name) }
      }
      for action in graph.actions {
        for need in action.task.needs { note(need, of: action.name) }
      }
    }
    return order.map { ($0, users[$0] ?? []) }
  }
}

extension SignalBody {
  /// Its own needs, inline declarations included.
  fileprivate var needs: [OutsideNeed] { outsideSources.flatMap(\.needs) }

  /// The programs, files and other things outside that it listens to, inline declarations included.
  var outsideSources: [any PreparedSource] {
    (source.needs.isEmpty ? [] : [source]) + inlineBodies.flatMap(\.outsideSources)
  }
}
