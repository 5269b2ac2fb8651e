import JSON
import ReactiveCore

/// Where other signals hang on one.
///
/// They are told in the order of the graph, whenever they were connected: a reload that builds one of them afresh must
/// not change who comes first in a turn.
final class Outlet {
  /// One stream that hangs here.
  private final class Link {
    let output: StreamObserver
    let signal: RunningSignal
    let arrival: Int
    var isConnected = true

    init(_ output: StreamObserver, of signal: RunningSignal, arrival: Int) {
      self.output = output
      self.signal = signal
      self.arrival = arrival
    }
  }

  private var links: [Link] = []
  private var arrivals = 0
  private var visits = 0
  /// Whether links have gone, or came out of order, while somebody was being told.
  private var isUntidy = false

  var isEmpty: Bool { links.isEmpty }

  /// A stream of all that is sent here, for a part of a signal.
  func stream(for signal: RunningSignal) -> Stream {
    Stream { [self] output, lifetime in
      arrivals += 1
      let link = Link(output, of: signal, arrival: arrivals)
      connect(link)
      lifetime.observeEnded { [weak self, weak link] in
        if let link { self?.disconnect(link) }
      }
    }
  }

  func send(_ value: Payload) { visit { $0.output.send(value: value) } }

  /// Ends every stream that hangs here.
  func end(with ending: SignalEnding) { visit { $0.output.end(with: ending) } }

  /// Puts them into the order of the graph, which may have become another one.
  func sort() {
    guard visits == 0 else { return isUntidy = true }
    links.sort { ($0.signal.order, $0.arrival) < ($1.signal.order, $1.arrival) }
    isUntidy = false
  }

  /// Tells those who were there at the beginning and have not left meanwhile.
  private func visit(_ tell: (Link) -> Void) {
    visits += 1
    for index in 0..<links.count where links[index].isConnected { tell(links[index]) }
    visits -= 1
    guard isUntidy, visits == 0 else { return }
    links.removeAll { !$0.isConnected }
    sort()
  }

  private func connect(_ link: Link) {
    let isInOrder = links.last.map { $0.signal.order <= link.signal.order } ?? true
    links.append(link)
    if !isInOrder { sort() }
  }

  private func disconnect(_ link: Link) {
    link.isConnected = false
    if visits > 0 { isUntidy = true } else { links.removeAll { $0 === link } }
  }
}
