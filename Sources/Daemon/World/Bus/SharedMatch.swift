import Linux

/// Somebody who is told the messages that match a rule.
protocol MatchListener: AnyObject {
  func hear(_ message: borrowing BusMessage)
  /// The bus does not take the rule.
  func matchFailed(_ reason: String)
}

/// One rule at the bus, for all who listen to the same.
final class SharedMatch {
  private let rule: MatchRule
  private weak var link: BusLink?
  private var slot: BusSlot?
  private var listeners: [any MatchListener] = []
  private var failure: String?

  init(_ rule: MatchRule, link: BusLink) {
    self.rule = rule
    self.link = link
    do throws(Errno) {
      slot = try link.connection.match(
        rule, installed: { [unowned self] answer in if let error = answer.error { fail("\(error)") } }
      ) { [unowned self] message in tell(message) }
    } catch {
      failure = "\(error)"
    }
  }

  deinit { link?.forget(rule) }

  private func tell(_ message: borrowing BusMessage) {
    if listeners.count == 1 { return listeners[0].hear(message) }
    for listener in listeners {
      message.rewind()
      listener.hear(message)
    }
  }

  private func fail(_ reason: String) {
    failure = reason
    for listener in listeners { listener.matchFailed(reason) }
  }

  func add(_ listener: any MatchListener) {
    listeners.append(listener)
    if let failure { listener.matchFailed(failure) }
  }

  func remove(_ listener: any MatchListener) { listeners.removeAll { $0 === listener } }
}
