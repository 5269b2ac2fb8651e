import GraphEngine
import GraphModel
import JSON
import Linux
import Persistence
import WireProtocol

// Several values by one line: a client's share of an iteration at a time.

extension Dispatcher {
  /// The time for one list in an iteration of the loop.
  private static let share = Duration.milliseconds(2)
  /// The number of values of a list in one entry of durable graphs.
  private static let valuesOfEntry = 4

  /// Sends the first of several values, and leaves those that take longer to the coming iterations.
  func send(
    _ values: [Payload], to channel: Channel, message: MessageID?, _ exchange: Exchange
  ) throws(WireError) -> LineSplitter.Flow {
    let session = exchange.session
    if lists.hold(session.sender, ofUser: session.userID) { return .hold }
    if channel.commits == nil, hub.clusteredHome(of: channel) != nil {
      return try sendDurably(.values(values), to: channel, message: message?.text, values: values.count, exchange)
    }
    let list = ValueList(values, to: channel.name, of: session, id: exchange.id, messageID: message)
    guard try begin(list, on: channel) else {
      return try sendDurably(.values(values), to: channel, message: message?.text, values: values.count, exchange)
    }
    session.countSent(values.count)
    if try send(list, to: channel) { proceed(with: list) }
    return .next
  }

  /// Schedules a list for the coming iterations.
  func proceed(with list: ValueList) {
    list.isReader = hub.channel(named: list.signal, for: list.session.identity).map { !$0.fedCommits.isEmpty } ?? false
    list.work = { [unowned self] in work(at: $0) }
    lists.add(list)
  }

  /// Ends all lists, with as many of their values as can be sent in a time.
  func endLists(within patience: Duration, because error: WireError) {
    let end = MonotonicInstant.now() + patience
    for list in lists.listed {
      while !list.isDone, work(at: list), MonotonicInstant.now() < end {}
      if lists.listed.contains(where: { $0 === list }) { refuse(list, error) }
    }
  }

  /// Sends values for a while.
  ///
  /// - Returns: `true` if some are left.
  private func work(at list: ValueList) -> Bool {
    iteration.closeBatch()
    do throws(WireError) {
      let client = list.session.identity
      guard let channel = hub.channel(named: list.signal, for: client) else {
        throw unknownSignal(list.signal, for: client)
      }
      if channel.signal !== list.target {
        _ = try permitted(channel, list.session)
        if list.messageID != nil { try requireDurability(of: channel) }
        _ = try begin(list, on: channel)
      }
      if try send(list, to: channel) { return true }
      lists.remove(list)
    } catch {
      refuse(list, error)
    }
    return false
  }

  /// Ends a list in the midst, and says how many of its values were sent.
  private func refuse(_ list: ValueList, _ error: WireError) {
    let refusal = Refusal(id: list.id, op: SendRequest.op, Self.error(error, after: list))
    audit.note(denied: refusal, to: list.session.identity)
    let exchange = Exchange(session: list.session, id: list.id)
    exchange.answer { refusal.append(to: &$0) }
    lists.remove(list)
  }

  private static func error(_ error: WireError, after list: ValueList) -> WireError {
    if list.taken == 0 { return error }
    return WireError(error.code, "\(error.message); \(list.taken) of \(list.values.count) values were sent before")
  }

  /// Checks the rest of a list against the signal that has its name now.
  ///
  /// - Returns: False where the signal's graph has taken all of it before.
  private func begin(_ list: ValueList, on channel: Channel) throws(WireError) -> Bool {
    let rest = list.taken == 0 ? list.values : Array(list.values[list.taken...])
    list.target = channel.signal
    guard channel.signal.isMirror else {
      do throws(SendError) { try hub.runtime.check(rest, for: channel.signal) } catch {
        throw WireError(error, signal: channel.name)
      }
      if list.taken == 0 { list.before = channel.signal.sequence }
      return true
    }
    let graphs = try commits(for: channel).graphs
    do throws(DurableGraphs.Refusal) {
      let start = try graphs.beginSlices(of: rest, to: channel.signal, message: list.messageID?.text)
      if list.taken == 0 { (list.before, list.taken) = start }
      return !list.isDone
    } catch {
      throw WireError(error, channel, message: list.messageID?.text)
    }
  }

  /// Sends values of a list until its share of time is over.
  ///
  /// - Returns: `true` if some are left; otherwise the list has been answered.
  private func send(_ list: ValueList, to channel: Channel) throws(WireError) -> Bool {
    let end = MonotonicInstant.now() + Self.share
    if channel.signal.isMirror { return try sendDurably(list, to: channel, until: end) }
    iteration.hasSender = true
    defer { iteration.hasSender = false }
    do throws(SendError) {
      while !list.isDone, channel.signal.ending == nil {
        try hub.runtime.send(list.values[list.taken], to: channel.signal)
        list.taken += 1
        iteration.flushIfLarge()
        if !list.isDone, MonotonicInstant.now() >= end { return true }
      }
    } catch {
      throw Self.error(WireError(error, signal: channel.name), after: list)
    }
    if list.id != nil { answer(channel, since: list.before, Exchange(session: list.session, id: list.id)) }
    return false
  }

  private func sendDurably(
    _ list: ValueList, to channel: Channel, until end: MonotonicInstant
  ) throws(WireError) -> Bool {
    let exchange = Exchange(session: list.session, id: list.id)
    while !list.isDone {
      let upTo = min(list.taken + Self.valuesOfEntry, list.values.count)
      let slice = DurableGraphs.Slice(
        before: list.before, end: UInt64(upTo), isLast: upTo == list.values.count)
      try sendDurably(
        .values(Array(list.values[list.taken..<upTo])), to: channel, message: list.messageID?.text, slice: slice,
        exchange)
      list.taken = upTo
      if !list.isDone, MonotonicInstant.now() >= end { return true }
    }
    return false
  }
}
