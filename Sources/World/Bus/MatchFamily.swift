import Base
import Linux

/// Match rules that differ only in object paths and arguments, and that one common rule can replace.
final class MatchFamily {
  /// The rule that covers all of them.
  let common: MatchRule
  let connection: BusConnection
  private weak var table: MatchTable?
  /// The members, keyed by what they add to the common rule.
  private var members: [ExactText: Member] = [:]
  /// The number of members with arguments of their own, which the path alone does not find.
  private var membersWithArguments = 0
  /// The common rule, once it has been requested.
  private var rule: BusMatch?

  /// A match that removes itself when it is released.
  private struct Member { unowned let match: SharedMatch }

  init(_ common: MatchRule, _ connection: BusConnection, table: MatchTable) {
    self.common = common
    self.connection = connection
    self.table = table
  }

  deinit { table?.remove(common) }

  // MARK: Members

  func match(_ path: String, _ arguments: [Int: ExactText]) -> SharedMatch {
    members[key(path, arguments)]?.match ?? SharedMatch(path, arguments, in: self)
  }

  func add(_ match: SharedMatch) {
    members[key(match.path, match.arguments)] = Member(match: match)
    if !match.arguments.isEmpty { membersWithArguments += 1 }
  }

  func remove(_ match: SharedMatch) {
    members[key(match.path, match.arguments)] = nil
    if !match.arguments.isEmpty { membersWithArguments -= 1 }
  }

  private func key(_ path: String, _ arguments: [Int: ExactText]) -> ExactText {
    ExactText(arguments.isEmpty ? path : rule(for: path, arguments).text)
  }

  func rule(for path: String, _ arguments: [Int: ExactText]) -> MatchRule {
    MatchRule(
      sender: common.sender, path: path, interface: common.interface, member: common.member,
      arguments: arguments.isEmpty ? common.arguments : arguments)
  }

  // MARK: Rules on the bus

  /// True while its members are to have rules of their own.
  var takesRules: Bool { rule == nil }

  /// The number of members' rules on the bus.
  var ruleCount: Int { takesRules ? members.values.count { $0.match.hasRule } : 0 }

  func ruleRefused(of match: SharedMatch, _ error: BusError) { table?.makeSpace(for: match, in: self, error) }

  /// Requests the common rule; the answer is passed to the table.
  func broaden() throws(Errno) { rule = try connection.match(common, for: self) }
}

extension MatchFamily: BusMatchReceiver {
  func matchAnswered(_ error: BusError?) {
    // The callbacks of one may remove others.
    let matches = members.values.map(\.match)
    if let error {
      rule = nil
      // Matches added in the meantime have relied on it.
      for match in matches where !match.hasRule && !match.isRefused { match.fail("\(error)") }
    } else {
      for match in matches { match.giveUpRule() }
    }
    table?.didBroaden(self, members.count, error)
  }

  /// Delivers a message to the members that it matches.
  func receive(_ message: borrowing BusMessage) {
    if let path = message.path { members[ExactText(path)]?.match.receive(message) }
    if membersWithArguments == 0 { return }
    message.rewind()
    guard let values = try? message.values() else { return }
    for match in members.values.map(\.match) where !match.arguments.isEmpty && match.path == message.path {
      guard match.arguments.allSatisfy({ $0 < values.count && values[$0] == .string($1.text) }) else { continue }
      message.rewind()
      match.receive(message)
    }
  }
}
