import GraphEngine
import GraphModel

/// Every signal's channel, in the order of the configuration, the daemon's own last: by its name, and by what its values
/// come from.
struct ChannelDirectory {
  let all: [Channel]
  private let byName: [String: Channel]
  private let table: ChannelTable

  init(_ all: [Channel] = []) {
    self.all = all
    byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    table = ChannelTable(all)
  }

  subscript(name: String) -> Channel? { byName[name] }

  /// Returns the channel with a name in a request line.
  @inline(__always) subscript(name: Span<UInt8>) -> Channel? { table[name] }

  /// Returns the signals that accept values and that the given ones are computed from, each once.
  func sources(of channels: [Channel]) -> [Channel] {
    (channels + upstream(of: channels) { _ in true }).filter(\.signal.acceptsValues)
  }

  /// Returns the upstream of signals, each once, following only signals that satisfy the predicate.
  func upstream(of channels: [Channel], where isWanted: (Channel) -> Bool) -> [Channel] {
    var seen = Set(channels.map(\.name))
    var rest = channels
    var found: [Channel] = []
    while let channel = rest.popLast() {
      for name in channel.signal.declaration.upstream where seen.insert(name).inserted {
        guard let source = byName[name], isWanted(source) else { continue }
        found.append(source)
        rest.append(source)
      }
    }
    return found
  }

  /// Returns signals and everything whose values enter them, also through inputs that others send to and through the
  /// outputs of actions that they call.
  func feeders(of channels: [Channel]) -> [Channel] {
    if channels.isEmpty { return [] }
    var senders: [String: [Channel]] = [:]
    for channel in all {
      for target in channel.signal.declaration.targets + channel.signal.declaration.calledSignals {
        senders[target, default: []].append(channel)
      }
    }
    var (rest, seen, found) = (channels, Set<String>(), [Channel]())
    while let channel = rest.popLast() {
      guard seen.insert(channel.name).inserted else { continue }
      found.append(channel)
      rest += channel.signal.declaration.upstream.compactMap { byName[$0] } + senders[channel.name, default: []]
    }
    return found
  }
}
