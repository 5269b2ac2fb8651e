/// The kind of an operand, for shell completion.
enum OperandKind: Equatable, Sendable {
  /// A text that cannot be completed.
  case anything
  case file
  /// A configuration file or directory.
  case configuration
  /// One of these words.
  case word([String])
  /// Names from the daemon.
  case listed(Listed)
  case command
  case `operator`

  /// A selection from the daemon's list of signals.
  enum Listed: String, CaseIterable {
    /// Visible signals.
    case signal
    /// Signals that allow subscriptions.
    case subscribable
    /// Signals that can be sent to.
    case input
    case action
    case graph
    /// Signals and graphs.
    case either
    /// Ended signals, and graphs that contain some.
    case ended

    /// The `awk(1)` program that extracts these names from the list: its columns are name, kind, rights, value, ending.
    var program: String {
      let graphs = #"sub(/\..*/, "", $1); if (!seen[$1]++) print $1"#
      return switch self {
      case .signal: "{ print $1 }"
      case .subscribable: "$3 ~ /subscribe/ { print $1 }"
      case .input: "$3 ~ /send/ { print $1 }"
      // An action has several signals.
      case .action: #"$2 == "action" { sub(/\.[^.]*$/, "", $1); if (!seen[$1]++) print $1 }"#
      // The daemon's own graph is in no configuration.
      case .graph: "$1 !~ /^signalbox[.]/ { \(graphs) }"
      case .either: "{ print $1; \(graphs) }"
      case .ended: #"$5 != "-" { print $1; \#(graphs) }"#
      }
    }
  }
}
