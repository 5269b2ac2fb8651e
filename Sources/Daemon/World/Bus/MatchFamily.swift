import Linux

/// Rules that differ only in the paths of objects and in arguments, which one rule for all can stand for.
final class MatchFamily {
  /// The rule for all of them.
  let common: MatchRule
  let connection: BusConnection
  private weak var table: MatchTable?
  /// By what they have beyond the common rule.
  private var members: [String: Member] = [:]
  /// How many of them have arguments of their own, so that the path alone does not find them.
  private var membersWithArguments = 0
  /// The common rule, once it has been asked for.
  private var rule: BusMatch?

  /// A rule that takes itself out when nobody holds it any more.
  private struct Member { unowned let match: SharedMatch }

  init(_ common: MatchRule, _ connection: BusConnection, table: MatchTable) {
    self.common = common
    self.connection = connection
    self.table = table
  }

  deinit { table?.forget(common) }

  // MARK: Members

  func match(_ path: String, _ arguments: [Int: String]) -> SharedMatch {
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

  private func key(_ path: String, _ arguments: [Int: String]) -> String {
    arguments.isEmpty ? path : rule(for: path, arguments).text
  }

  func rule(for path: String, _ arguments: [Int: String]) -> MatchRule {
    MatchRule(
      sender: common.sender, path: path, interface: common.interface, member: common.member,
      arguments: arguments.isEmpty ? common.arguments : arguments)
  }

  // MARK: Rules at the bus

  /// Whether its members are to have rules of their own.
  var takesRules: Bool { rule == nil }

  /// How many rules of members are at the bus.
  var ruleCount: Int { takesRules ? members.values.count { $0.match.hasRule } : 0 }

  func ruleRefused(of match: SharedMatch, _ error: BusError) { table?.makeRoom(for: match, in: self, error) }

  /// Asks the bus for the common rule; the table is told how that has gone.
  func broaden() throws(Errno) { rule = try connection.match(common, for: self) }
}

extension MatchFamily: BusMatchReceiver {
  func matchAnswered(_ error: BusError?) {
    // What one of them calls for may take out others.
    let matches = members.values.map(\.match)
    if let error {
      rule = nil
      // Those that came meanwhile have counted on it.
      for match in matches where !match.hasRule && !match.isRefused { match.fail("\(error)") }
    } else {
      for match in matches { match.giveUpRule() }
    }
    table?.hasBroadened(self, members.count, error)
  }

  /// Finds those for whom it is meant.
  func receive(_ message: borrowing BusMessage) {
    if let path = message.path { members[path]?.match.receive(message) }
    if membersWithArguments == 0 { return }
    message.rewind()
    guard let values = try? message.values() else { return }
    for match in members.values.map(\.match) where !match.arguments.isEmpty && match.path == message.path {
      guard match.arguments.allSatisfy({ $0 < values.count && values[$0] == .string($1) }) else { continue }
      message.rewind()
      match.receive(message)
    }
  }
}
