/// The requests of a client that have not been answered, over all its connections.
///
/// Those that may be repeated are written again, in order, when a connection has ended before their answer.
package struct UnansweredRequests: Sendable {
  private enum State {
    case unwritten, written
    /// The daemon cannot execute it now.
    case postponed
  }

  private struct Request {
    let number: Int
    var line: [UInt8]
    var isRepeatable: Bool
    var state = State.unwritten
  }

  /// The requests in order; most answers are those of the first one, which a slice removes at no cost.
  private var requests: ArraySlice<Request> = []
  private var hasUnwritten = false

  package init() {}

  package var isEmpty: Bool { requests.isEmpty }
  package var count: Int { requests.count }

  /// The number of the oldest one, for an answer without an id: answers arrive in order.
  package var oldest: Int? { requests.first?.number }

  package func isRepeatable(_ number: Int) -> Bool { index(of: number).map { requests[$0].isRepeatable } ?? false }

  private func index(of number: Int) -> Int? { requests.firstIndex { $0.number == number } }

  /// Adds a request with a number that is higher than all before.
  ///
  /// - Parameter isRepeatable: True if it may be written again although its outcome is unknown.
  package mutating func add(_ line: [UInt8], number: Int, isRepeatable: Bool) {
    requests.append(Request(number: number, line: line, isRepeatable: isRepeatable))
    hasUnwritten = true
  }

  /// Takes the lines that are to be written.
  package mutating func takeUnwritten() -> [UInt8] {
    var bytes: [UInt8] = []
    if !hasUnwritten { return bytes }
    hasUnwritten = false
    for index in requests.indices where requests[index].state == .unwritten {
      bytes += requests[index].line
      requests[index].state = .written
      if !requests[index].isRepeatable { requests[index].line = [] }
    }
    return bytes
  }

  /// Removes a request that has been answered.
  package mutating func answer(_ number: Int) {
    guard let index = index(of: number) else { return }
    if index == requests.startIndex { requests.removeFirst() } else { requests.remove(at: index) }
  }

  /// Defers a request until `resume`.
  package mutating func postpone(_ number: Int) {
    if let index = index(of: number) { requests[index].state = .postponed }
  }

  /// Marks the postponed requests to be written again.
  package mutating func resume() {
    for index in requests.indices where requests[index].state == .postponed { requests[index].state = .unwritten }
    hasUnwritten = true
  }

  /// Cancels a request: it is no longer written, and one that has been written remains until its answer.
  package mutating func abandon(_ number: Int) {
    guard let index = index(of: number) else { return }
    if requests[index].state == .unwritten { requests.remove(at: index) } else { requests[index].isRepeatable = false }
  }

  /// Prepares for another connection.
  ///
  /// - Returns: The numbers of written requests that may not be repeated: whether they were executed is unknown.
  package mutating func reconnect() -> [Int] {
    let lost = requests.filter { !$0.isRepeatable && $0.state != .unwritten }.map(\.number)
    requests.removeAll { !$0.isRepeatable && $0.state != .unwritten }
    for index in requests.indices { requests[index].state = .unwritten }
    hasUnwritten = true
    return lost
  }
}
