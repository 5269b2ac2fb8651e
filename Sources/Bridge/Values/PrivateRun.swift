internal import Linux

/// A bridge of a daemon for one user alone, as `signalbox dev` starts it beside the one that serves.
enum PrivateRun {
  /// True if this process belongs to one: the daemon passes its environment on.
  static let isPresent = CurrentProcess.environment("SIGNALBOX_PRIVATE_DIRECTORY") != nil

  /// Returns a name for peers that is not that of the bridge which serves, whose sessions and places are its own.
  static func name(_ name: String) -> String { isPresent ? "\(name)-dev" : name }
}
