import Linux

/// The match rules of one connection.
///
///     MatchTable → MatchFamily   rules that differ in paths and arguments alone
///                  SharedMatch   one of them, shared by its listeners
///
/// A bus limits the rules of a connection, often to 512. When it refuses one, the family with the most rules gets a
/// common rule, and the daemon filters its messages; the log records that. A spare rule that matches nothing is
/// reserved for this and removed in favour of the common one, which is thus installed before the others are removed,
/// and no message is missed. A listener that had to wait for a rule is notified once there is one, and reads again.
final class MatchTable {
  private static let nothing = MatchRule(
    sender: "org.freedesktop.DBus", path: "/", interface: "org.signalbox.Spare", member: "Spare")

  private let connection: BusConnection
  private unowned let host: BusHost
  private var families: [MatchRule: Unowned] = [:]
  private var spare: BusMatch?
  private var refused: [Waiting] = []
  private var broadening: MatchFamily?

  /// A reference to an object that removes itself when it is released.
  private struct Unowned { unowned let family: MatchFamily }

  private struct Waiting { weak var match: SharedMatch? }

  init(_ connection: BusConnection, host: BusHost) {
    self.connection = connection
    self.host = host
    keepSpare()
  }

  private func keepSpare() { spare = try? connection.match(Self.nothing, for: self) }

  /// Returns a match, which is installed for its first listener and lasts as long as it is retained.
  ///
  /// - Parameter isOfMany: True if there may be many with other paths and the same arguments.
  func match(_ rule: MatchRule, isOfMany: Bool) -> SharedMatch {
    let common = MatchRule(
      sender: rule.sender, path: nil, interface: rule.interface, member: rule.member,
      arguments: isOfMany ? rule.arguments : [:])
    let family = families[common]?.family ?? MatchFamily(common, connection, table: self)
    families[common] = Unowned(family: family)
    return family.match(rule.path ?? "/", isOfMany ? [:] : rule.arguments)
  }

  func remove(_ common: MatchRule) { families[common] = nil }

  // MARK: Refused rules

  /// Handles a refused rule: it is retried once there is capacity, or its failure is reported.
  func makeSpace(for match: SharedMatch, in family: MatchFamily, _ error: BusError) {
    refused.append(Waiting(match: match))
    if broadening == nil { broadenLargest(or: family, error) }
  }

  private func broadenLargest(or own: MatchFamily, _ error: BusError) {
    let counts = families.values.map { (family: $0.family, count: $0.family.ruleCount) }
    let largest = counts.max { $0.count < $1.count }
    let chosen = largest.flatMap { $0.count >= 2 ? $0.family : nil } ?? (own.ruleCount >= 1 ? own : nil)
    guard let chosen else { return refuseAll("\(error)") }
    spare = nil
    do throws(Errno) {
      try chosen.broaden()
      broadening = chosen
    } catch {
      refuseAll("\(error)")
    }
  }

  private func refuseAll(_ reason: String) {
    let waiting = refused
    refused = []
    for match in waiting.compactMap(\.match) { match.fail(reason) }
    if spare == nil { keepSpare() }
  }

  /// Handles the answer to the common rule of a family.
  func didBroaden(_ family: MatchFamily, _ count: Int, _ error: BusError?) {
    broadening = nil
    if let error { return refuseAll("\(error)") }
    host.buses.log.notice(
      "the \(host.choice.name) accepts no more match rules: one replaces \(count), \(family.common.text)")
    keepSpare()
    let waiting = refused
    refused = []
    for match in waiting.compactMap(\.match) where match.isRefused { match.install() }
    host.settleLater()
  }
}

extension MatchTable: BusMatchReceiver {
  func matchAnswered(_ error: BusError?) { if error != nil { spare = nil } }
  func receive(_ message: borrowing BusMessage) {}
}
