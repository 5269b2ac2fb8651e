import Linux

/// Somebody who is told the messages that match a rule.
protocol MatchListener: AnyObject {
  func hear(_ message: borrowing BusMessage)

  /// The bus does not take the rule.
  func matchFailed(_ reason: String)

  /// The bus takes the rule only now, after it had refused it: messages may have been missed until here.
  func matchTaken()
}

extension MatchListener {
  func matchTaken() {}
}

/// One rule, for all who listen to the same: a rule at the bus of its own, or a part of its family's.
final class SharedMatch {
  private let family: MatchFamily
  let path: String
  /// Those that its family does not have.
  let arguments: [Int: String]
  private var own: BusMatch?
  /// Nearly always there is one.
  private var listener: (any MatchListener)?
  private var others: [any MatchListener] = []
  /// Whether the bus has refused it, and has not taken it since.
  private(set) var isRefused = false
  private var failure: String?

  init(_ path: String, _ arguments: [Int: String], in family: MatchFamily) {
    self.path = path
    self.arguments = arguments
    self.family = family
    family.add(self)
    if family.takesRules { install() }
  }

  deinit { family.remove(self) }

  /// Whether it has a rule of its own at the bus, or has asked for one.
  var hasRule: Bool { own != nil }

  /// Asks the bus for a rule of its own.
  func install() {
    // One that it had would be taken away behind the new one.
    own = nil
    do throws(Errno) {
      own = try family.connection.match(family.rule(for: path, arguments), for: self)
    } catch {
      fail("\(error)")
    }
  }

  /// What matches comes by the rule of the family from now on.
  func giveUpRule() {
    own = nil
    take()
  }

  /// The bus sends what matches.
  private func take() {
    if !isRefused { return }
    isRefused = false
    failure = nil
    for listener in listeners { listener.matchTaken() }
  }

  func fail(_ reason: String) {
    failure = reason
    for listener in listeners { listener.matchFailed(reason) }
  }

  // MARK: Listeners

  private var listeners: [any MatchListener] { (listener.map { [$0] } ?? []) + others }

  func add(_ listener: any MatchListener) {
    if self.listener == nil { self.listener = listener } else { others.append(listener) }
    if let failure { listener.matchFailed(failure) }
  }

  func remove(_ listener: any MatchListener) {
    if self.listener === listener {
      self.listener = others.popLast()
    } else {
      others.removeAll { $0 === listener }
    }
  }
}

extension SharedMatch: BusMatchReceiver {
  func receive(_ message: borrowing BusMessage) {
    if others.isEmpty {
      listener?.hear(message)
      return
    }
    for listener in listeners {
      message.rewind()
      listener.hear(message)
    }
  }

  func matchAnswered(_ error: BusError?) {
    guard let error else { return take() }
    guard error.isLimit else { return fail("\(error)") }
    own = nil
    isRefused = true
    family.ruleRefused(of: self, error)
  }
}
