import ClientCore
import Testing

/// The rules of `clients/README.md`; `clients/conformance` tests them with a daemon and broken connections.
struct SubscriptionProgressTests {
  private typealias Progress = SubscriptionProgress
  private typealias Place = SubscriptionProgress.Place

  /// A subscription that is settled at a number of `g.s` in the epoch `e`.
  private static func settled(
    at seq: Int, isPattern: Bool = false, isThinned: Bool = false, wanted: Int? = nil
  ) -> Progress {
    var progress = Progress(isPattern: isPattern, isThinned: isThinned, replay: nil, wanted: wanted)
    progress.connect(to: "e")
    _ = progress.places()
    _ = progress.begin([.init("g.s", seq: seq, epoch: nil)], epoch: nil)
    _ = progress.settle()
    return progress
  }

  @Test(arguments: [
    (replay: nil, seq: 7, places: [:]), (replay: 0, seq: 7, places: ["g.s": 7]),
    (replay: nil, seq: 0, places: ["g.s": 0]),
    (replay: 3, seq: 7, places: ["g.s": 4]), (replay: 9, seq: 7, places: ["g.s": 0]),
  ])
  func `before a value, the position is known where the retained ones are`(
    replay: Int?, seq: Int, places: [String: Int]
  ) {
    var progress = Progress(isPattern: false, isThinned: false, replay: replay, wanted: nil)
    progress.connect(to: "e")
    #expect(progress.places().isEmpty)
    #expect(progress.begin([.init("g.s", seq: seq, epoch: nil)], epoch: nil).isEmpty)
    #expect(progress.places().mapValues(\.seq) == places)
    #expect(progress.places().values.allSatisfy { $0.epoch == "e" })
  }

  @Test func `a value is delivered once, and after the loss before it`() {
    var progress = Self.settled(at: 7)
    #expect(progress.takeValue(7, of: "g.s") == .skip)
    #expect(progress.takeValue(8, of: "g.s") == .deliver(after: nil))
    #expect(progress.takeValue(11, of: "g.s") == .deliver(after: .expired("g.s", after: 8, oldest: 11)))
    #expect(progress.takeLag(2, of: "g.s") == true)
    #expect(progress.takeValue(14, of: "g.s") == .deliver(after: nil))
  }

  @Test func `what a selection leaves out is no loss`() {
    var progress = Self.settled(at: 7, isThinned: true)
    #expect(progress.takeValue(11, of: "g.s") == .deliver(after: nil))
  }

  @Test func `values beyond the wanted ones are skipped`() {
    var progress = Self.settled(at: 7, wanted: 2)
    _ = progress.takeValue(8, of: "g.s")
    #expect(progress.wanted == 1 && !progress.isOver)
    #expect(progress.takeValue(9, of: "g.s") == .deliver(after: nil))
    #expect(progress.isOver)
    #expect(progress.takeValue(10, of: "g.s") == .skip)
    #expect(progress.takeEnding(of: "g.s", reason: nil) == .skip)
  }

  @Test func `without its positions, numbers show what the next connection has lost`() {
    var progress = Self.settled(at: 7)
    #expect(progress.places() == ["g.s": Place(seq: 7, epoch: "e")])
    #expect(progress.refuse("expired", oldest: 12) == .subscribeAgain)
    #expect(progress.begin([.init("g.s", seq: 13, epoch: nil)], epoch: nil).isEmpty)
    #expect(progress.isCatchingUp)
    #expect(progress.takeValue(12, of: "g.s") == .deliver(after: .expired("g.s", after: 7, oldest: 12)))
    #expect(progress.settle() == [.expired("g.s", after: 12, oldest: 14)])
    #expect(!progress.isCatchingUp)
  }

  @Test(arguments: [(epoch: "f", seq: 13), (epoch: "e", seq: 3)])
  func `numbers of another epoch, or lower ones, restart`(epoch: String, seq: Int) {
    var progress = Self.settled(at: 7)
    _ = progress.places()
    _ = progress.refuse("expired", oldest: nil)
    #expect(
      progress.begin([.init("g.s", seq: seq, epoch: epoch)], epoch: nil) == [.restarted("g.s", from: "e", to: epoch)])
    #expect(progress.takeValue(1, of: "g.s") == .deliver(after: nil))
    #expect(progress.epoch(of: "g.s") == epoch)
  }

  @Test func `a selection that cannot resume reports its loss once`() {
    var progress = Self.settled(at: 7, isThinned: true)
    for loss in [[Progress.Notice.expired("g.s", after: 7, oldest: 12)], []] {
      _ = progress.places()
      _ = progress.refuse("expired", oldest: 12)
      #expect(progress.begin([.init("g.s", seq: loss.isEmpty ? 11 : 13, epoch: nil)], epoch: nil) == loss)
    }
  }

  @Test(arguments: [
    ("too_many", SubscriptionProgress.Refusal.reconnect), ("shutting_down", .reconnect), ("unavailable", .notYet),
    ("storage", .notYet),
  ])
  func `another connection is tried where that may be accepted`(
    code: String, consequence: SubscriptionProgress.Refusal
  ) {
    var progress = Self.settled(at: 7)
    _ = progress.places()
    #expect(progress.refuse(code, oldest: nil) == consequence)
    #expect(!progress.isOver)
    #expect(progress.places() == ["g.s": Place(seq: 7, epoch: "e")])
  }

  @Test func `a pattern reports signals that are new or gone`() {
    var progress = Self.settled(at: 7, isPattern: true)
    _ = progress.places()
    #expect(
      progress.begin([.init("g.t", seq: 2, epoch: "own")], epoch: nil) == [
        .subscribed("g.t", Place(seq: 2, epoch: "own")), .removed("g.s"),
      ])
  }

  @Test func `an end is delivered once, and not at all with the daemon`() {
    var progress = Self.settled(at: 7, isPattern: true)
    #expect(progress.takeEnding(of: "g.s", reason: "shutting_down") == .skip)
    #expect(progress.takeEnding(of: "g.s", reason: nil) == .deliver)
    #expect(progress.takeEnding(of: "g.s", reason: nil) == .skip)
    #expect(progress.takeValue(8, of: "g.s") == .deliver(after: nil))
    #expect(progress.takeEnding(of: "g.s", reason: nil) == .deliver && !progress.isOver)
    var single = Self.settled(at: 7)
    #expect(single.takeEnding(of: "g.s", reason: nil) == .deliver && single.isOver)
  }

  @Test(arguments: [true, false])
  func `a daemon that could not resume a subscription has not ended its signal`(isPattern: Bool) {
    var progress = Self.settled(at: 7, isPattern: isPattern)
    #expect(progress.takeEnding(of: "g.s", reason: "restarted") == .reconnect)
    #expect(!progress.isOver)
    #expect(progress.places() == ["g.s": Place(seq: 7, epoch: "e")])
  }

  @Test func `of too many positions a request contains none`() {
    var progress = Self.settled(at: 7)
    #expect(progress.places(atMost: 0).isEmpty)
    // Nothing was requested that could have expired.
    #expect(progress.refuse("expired", oldest: 12) == .final)
  }

  @Test(arguments: [
    ("too_many", SubscriptionProgress.Refusal.reconnect), ("shutting_down", .reconnect), ("unknown_signal", .removed),
    ("denied", .removed), ("bad_value", .final),
  ])
  func `a refusal that the positions do not explain ends the connection or the subscription`(
    code: String, consequence: SubscriptionProgress.Refusal
  ) {
    var progress = Self.settled(at: 7)
    #expect(progress.refuse(code, oldest: nil) == consequence)
    #expect(progress.isOver == (consequence != .reconnect))
    var fresh = Progress(isPattern: false, isThinned: false, replay: nil, wanted: nil)
    #expect(fresh.refuse(code, oldest: nil) == (consequence == .removed ? .final : consequence))
  }

  @Test func `numbers of a daemon that is gone are discarded, and others outlive it`() {
    var progress = Progress(isPattern: true, isThinned: false, replay: nil, wanted: nil)
    progress.connect(to: "e")
    _ = progress.begin([.init("g.s", seq: 0, epoch: nil), .init("g.t", seq: 0, epoch: "own")], epoch: nil)
    #expect(!progress.outlives("e"))
    progress.discard("e")
    #expect(progress.outlives("e"))
    #expect(progress.places() == ["g.t": Place(seq: 0, epoch: "own")])
  }

  @Test func `an epoch that changes while it catches up is a restart, and later is not`() {
    var progress = Self.settled(at: 7)
    #expect(progress.takeEpoch("f", of: "g.s") == nil)
    #expect(progress.takeValue(8, of: "g.s") == .deliver(after: nil))
    _ = progress.places()
    _ = progress.begin([.init("g.s", seq: 9, epoch: "f")], epoch: nil)
    #expect(progress.takeEpoch("g", of: "g.s") == .restarted("g.s", from: "f", to: "g"))
    #expect(progress.takeValue(1, of: "g.s") == .deliver(after: nil))
  }

  @Test func `a heartbeat brings the number of a quiet signal`() {
    var progress = Self.settled(at: 7, isThinned: true)
    progress.takeHeartbeat(9, of: "g.s")
    #expect(progress.places() == ["g.s": Place(seq: 9, epoch: "e")])
  }
}
