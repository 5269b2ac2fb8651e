/// The misbehaviour of servers and of the network between them and a node, in so many of a thousand cases each.
package struct StreamMalice: Sendable {
  package var lostRequests = 0
  package var lostReplies = 0
  /// A copy of a request arrives as well, within 20 s.
  package var repeatedRequests = 0
  package var repeatedReplies = 0
  /// A request or a reply takes up to 3 s.
  package var slow = 0
  /// An append that would have been stored is refused; a copy of it may still be stored.
  package var groundlessRefusals = 0
  package var lostDeliveries = 0
  package var repeatedDeliveries = 0
  /// While a replica lags behind, the leader answers like it: a message is missing, a marker is an old one, the log ends
  /// earlier.
  package var lies = 0

  package static let none = StreamMalice()

  /// Returns what a round has to deal with: each kind is absent in half of the rounds.
  package static func random(_ chance: inout SimulatedChance) -> StreamMalice {
    func some(_ most: Int) -> Int { chance.happens(500) ? chance.number(1...most) : 0 }
    return StreamMalice(
      lostRequests: some(60), lostReplies: some(60), repeatedRequests: some(200), repeatedReplies: some(100),
      slow: some(60), groundlessRefusals: some(60), lostDeliveries: some(30), repeatedDeliveries: some(30),
      lies: some(300))
  }
}
