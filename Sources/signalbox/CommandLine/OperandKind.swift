/// The kind of an operand, for the shells that complete it.
enum OperandKind: Equatable, Sendable {
  /// A text that only the user knows.
  case anything
  case file
  /// A configuration, or a directory of one.
  case configuration
  /// One of these words.
  case word([String])
  /// Names that the daemon has.
  case listed(Listed)
  case command
  case `operator`

  /// A selection from the daemon's list of signals.
  enum Listed: String, CaseIterable {
    /// Those that can be looked at.
    case signal
    /// Those that can be subscribed to.
    case subscribable
    /// Those that can be sent to.
    case input
    case action
    case graph
    /// Signals, and graphs.
    case either
    /// Signals that have ended, and graphs that have such.
    case ended

    /// The `awk(1)` program that prints these names from the list: its columns are name, kind, rights, value, ending.
    var program: String {
      let graphs = #"sub(/\..*/, "", $1); if (!seen[$1]++) print $1"#
      return switch self {
      case .signal: "{ print $1 }"
      case .subscribable: "$3 ~ /subscribe/ { print $1 }"
      case .input: "$3 ~ /send/ { print $1 }"
      // An action has several signals.
      case .action: #"$2 == "action" { sub(/\.[^.]*$/, "", $1); if (!seen[$1]++) print $1 }"#
      // The daemon's own is in no configuration.
      case .graph: "$1 !~ /^signalbox[.]/ { \(graphs) }"
      case .either: "{ print $1; \(graphs) }"
      case .ended: #"$5 != "-" { print $1; \#(graphs) }"#
      }
    }
  }
}
