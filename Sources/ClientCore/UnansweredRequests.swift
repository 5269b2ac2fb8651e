/// The requests of a client that have not been answered, over all its connections.
///
/// Those that may be repeated are written again, in order, when a connection has ended before their answer.
package struct UnansweredRequests<Waiter> {
  private struct Request {
    let line: [UInt8]
    let isRepeatable: Bool
    /// `nil` after the wait for the answer to a written request has been cancelled.
    var waiter: Waiter?
  }

  private var requests: [Int: Request] = [:]
  /// The numbers of those that are to be written on this connection.
  private var unwritten: [Int] = []
  /// The numbers of those that the daemon cannot execute now.
  private var postponed: [Int] = []

  package init() {}

  package var isEmpty: Bool { requests.isEmpty }
  package var count: Int { requests.count }

  /// The number of the oldest one, for an answer without an id: answers arrive in order.
  package var oldest: Int? { requests.keys.min() }

  package func isRepeatable(_ number: Int) -> Bool { requests[number]?.isRepeatable ?? false }

  /// Adds a request with a number that is higher than all before.
  ///
  /// - Parameter isRepeatable: True if it may be written again although its outcome is unknown.
  package mutating func add(_ line: [UInt8], number: Int, isRepeatable: Bool, _ waiter: Waiter) {
    requests[number] = Request(line: line, isRepeatable: isRepeatable, waiter: waiter)
    unwritten.append(number)
  }

  /// Takes the lines that are to be written.
  package mutating func takeUnwritten() -> [UInt8] {
    defer { unwritten.removeAll(keepingCapacity: true) }
    return unwritten.flatMap { requests[$0]?.line ?? [] }
  }

  /// Removes a request that has been answered.
  package mutating func answer(_ number: Int) -> Waiter? { requests.removeValue(forKey: number)?.waiter }

  /// Defers a request until `resume`.
  package mutating func postpone(_ number: Int) { postponed.append(number) }

  /// Marks the postponed requests to be written again.
  package mutating func resume() {
    unwritten += postponed.sorted()
    postponed.removeAll()
  }

  /// Ends the wait for an answer; a request that has been written remains until its answer.
  package mutating func abandon(_ number: Int) -> Waiter? {
    guard let index = unwritten.firstIndex(of: number) else { return requests[number]?.waiter.take() }
    unwritten.remove(at: index)
    return answer(number)
  }

  /// Prepares for another connection.
  ///
  /// - Returns: The waiters of requests that may not be repeated: whether they were executed is unknown.
  package mutating func reconnect() -> [Waiter] {
    let ready = Set(unwritten)
    let lost = requests.filter { $1.waiter == nil || !$1.isRepeatable && !ready.contains($0) }
    for number in lost.keys { requests[number] = nil }
    unwritten = requests.keys.sorted()
    postponed.removeAll()
    return lost.values.compactMap(\.waiter)
  }

  /// Removes all requests.
  package mutating func removeAll() -> [Waiter] {
    defer { self = UnansweredRequests() }
    return requests.values.compactMap(\.waiter)
  }
}
