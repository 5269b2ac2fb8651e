internal import Linux

/// The choice of colours: `--color`, otherwise the environment, otherwise on if standard output is a terminal.
enum ColorChoice: String, CaseIterable {
  case auto, always, never

  static let option = Command.Option(
    name: "color", argument: "WHEN",
    doc: "auto (default; honours NO_COLOR, CLICOLOR_FORCE and TERM=dumb), always or never",
    kind: .word(allCases.map(\.rawValue)))

  func palette(for stream: StandardStream) -> Palette {
    switch self {
    case .always: Palette(isColored: true)
    case .never: .plain
    case .auto: Palette(isColored: Self.isColored(stream))
    }
  }

  private static func isColored(_ stream: StandardStream) -> Bool {
    if !variable("NO_COLOR").isEmpty { return false }
    if !["", "0"].contains(variable("CLICOLOR_FORCE")) { return true }
    return stream.isTerminal && !["", "dumb"].contains(variable("TERM"))
  }

  private static func variable(_ name: String) -> String { CurrentProcess.environment(name) ?? "" }
}
