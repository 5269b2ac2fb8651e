extension Configuration {
  /// Returns the names of all signals that a durable signal is computed from, directly or indirectly, and of the
  /// durable signals that send to it or to one of those.
  package func origins(of signal: String) -> Set<String> {
    let signals = Dictionary(uniqueKeysWithValues: buildOrder.map { ($0.name, $0) })
    var senders: [String: [String]] = [:]
    for sender in buildOrder where sender.isDurable {
      for target in sender.body.targets { senders[target, default: []].append(sender.name) }
    }
    var (found, open): (Set<String>, [String]) = ([], [signal])
    while let name = open.popLast() {
      // Values from an ordinary graph enter as inputs; their own origins are not followed.
      guard let known = signals[name], known.isDurable || known.isCold else { continue }
      for origin in known.upstream + (senders[name] ?? []) where found.insert(origin).inserted { open.append(origin) }
    }
    return found
  }
}
