import Base
package import Linux

/// A receiver of the messages that match a rule.
package protocol MatchListener: AnyObject {
  func handle(_ message: borrowing BusMessage)

  /// Called when the bus refuses the rule.
  func matchFailed(_ reason: String)

  /// Called when the bus accepts the rule after having refused it: messages may have been missed until now.
  func matchTaken()
}

extension MatchListener {
  package func matchTaken() {}
}

/// One match rule, shared by its listeners: installed on the bus by itself, or covered by its family's common rule.
package final class SharedMatch {
  private let family: MatchFamily
  let path: String
  /// The arguments that the family's rule lacks.
  let arguments: [Int: ExactText]
  private var own: BusMatch?
  /// The usual case: one listener.
  private var listener: (any MatchListener)?
  private var others: [any MatchListener] = []
  /// True while the bus has refused it and not accepted it since.
  private(set) var isRefused = false
  private var failure: String?

  init(_ path: String, _ arguments: [Int: ExactText], in family: MatchFamily) {
    self.path = path
    self.arguments = arguments
    self.family = family
    family.add(self)
    if family.takesRules { install() }
  }

  deinit { family.remove(self) }

  /// True if it has a rule of its own on the bus, or has requested one.
  var hasRule: Bool { own != nil }

  /// Requests a rule of its own.
  func install() {
    // An existing one would otherwise be removed after the new one.
    own = nil
    do throws(Errno) {
      own = try family.connection.match(family.rule(for: path, arguments), for: self)
    } catch {
      fail("\(error)")
    }
  }

  /// Removes its own rule; the family's delivers its messages from now on.
  func giveUpRule() {
    own = nil
    take()
  }

  /// Notifies the listeners that a refused rule is now in effect.
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

  package func add(_ listener: any MatchListener) {
    if self.listener == nil { self.listener = listener } else { others.append(listener) }
    if let failure { listener.matchFailed(failure) }
  }

  package func remove(_ listener: any MatchListener) {
    if self.listener === listener {
      self.listener = others.popLast()
    } else {
      others.removeAll { $0 === listener }
    }
  }
}

extension SharedMatch: BusMatchReceiver {
  package func receive(_ message: borrowing BusMessage) {
    if others.isEmpty {
      listener?.handle(message)
      return
    }
    for listener in listeners {
      message.rewind()
      listener.handle(message)
    }
  }

  package func matchAnswered(_ error: BusError?) {
    guard let error else { return take() }
    guard error.isLimit else { return fail("\(error)") }
    own = nil
    isRefused = true
    family.ruleRefused(of: self, error)
  }
}
