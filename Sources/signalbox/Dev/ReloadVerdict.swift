internal import GraphModel
internal import JSON
internal import Linux
internal import WireProtocol

/// The outcome of a reload: what was kept, and what was lost.
struct ReloadVerdict {
  let line: MarkedText
  /// The state that was lost, or the errors of a rejected configuration.
  let details: [MarkedText]
  let isAccepted: Bool

  /// The number of names that are spelled out.
  private static let mostNames = 3

  /// - Parameters:
  ///   - answer: The reply to the reload.
  ///   - forecast: The reply to the dry run before it, which knows the losses.
  init(_ answer: ServerLine, forecast: ServerLine?, taking duration: Duration) {
    isAccepted = !answer.isRefusal
    let time = MarkedText("  \(duration.shown)", .aside)
    guard isAccepted else {
      line = MarkedText("rejected", .error) + MarkedText(": \(answer.message)") + time
      details = []
      return
    }
    let kept = answer.strings("kept").count
    let losses = forecast?.objects("losses") ?? []
    var parts = [MarkedText("kept \(kept)", .success)]
    if !losses.isEmpty { parts.append(MarkedText("lost the state of \(losses.count)", .warning)) }
    for word in ["changed", "added", "removed"] {
      let names = answer.strings(word)
      if !names.isEmpty { parts.append(MarkedText("\(word) \(Self.list(names))")) }
    }
    // A private daemon has its own socket and state.
    let needed = answer.strings("needs_restart").filter { !$0.hasPrefix("server.socket") && $0 != "server.state" }
    if !needed.isEmpty { parts.append(MarkedText("\(Self.list(needed)) needs a restart: r", .warning)) }
    line = parts.dropFirst().reduce(parts[0]) { $0 + ", " + $1 } + time
    details = losses.map { MarkedText("lost: ", .warning) + MarkedText(Self.text(of: $0)) }
  }

  private static func list(_ names: [String]) -> String {
    let rest = names.count > mostNames ? " and \(names.count - mostNames) more" : ""
    return names.prefix(mostNames).joined(separator: ", ") + rest
  }

  /// Returns the lost state of a signal: `g.sum: scan, 5 values (changed)`.
  private static func text(of loss: JSONObject) -> String {
    let memories = if case .array(let names)? = loss["memories"] { names.map(\.plainText) } else { [String]() }
    let values = if case .number(let count)? = loss["values"]?.plain { Int(count) } else { 0 }
    let all = memories + (values > 0 ? [counted(values, "value")] : [])
    return "\(loss.text("signal")): \(all.joined(separator: ", ")) (\(loss.text("because")))"
  }
}
