extension Configuration {
  /// The names of all signals whose values a durable signal is computed from, directly or not, and of the durable ones that
  /// send to it or to one of those.
  package func origins(of signal: String) -> Set<String> {
    let signals = Dictionary(uniqueKeysWithValues: buildOrder.map { ($0.name, $0) })
    var senders: [String: [String]] = [:]
    for sender in buildOrder where sender.isDurable {
      for target in sender.body.targets { senders[target, default: []].append(sender.name) }
    }
    var (found, open): (Set<String>, [String]) = ([], [signal])
    while let name = open.popLast() {
      // What comes from a graph that is not durable enters as it is.
      guard let known = signals[name], known.isDurable || known.isCold else { continue }
      for origin in known.upstream + (senders[name] ?? []) where found.insert(origin).inserted { open.append(origin) }
    }
    return found
  }
}
