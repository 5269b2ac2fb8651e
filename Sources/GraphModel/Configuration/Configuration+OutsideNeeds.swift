extension Configuration {
  /// The outside needs of all signals and actions, each with the names of its users, in the files' order.
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
