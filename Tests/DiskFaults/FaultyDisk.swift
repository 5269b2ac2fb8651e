import CFaultyDisk

/// A faulty disk stands between SQLite and a folder, until it is let go of.
package final class FaultyDisk: Sendable {
  /// What it does.
  package enum Fault: Sendable {
    case none
    /// One operation fails: a write, a sync, the making or the deletion of a file.
    case failing(at: Int)
    /// From one operation on writes find no room.
    case full(at: Int)
    /// The process ends before or after one operation.
    case killing(at: Int, before: Bool)
  }

  private let armed: Int32

  /// - Parameter trace: the path of a file into which each operation is written.
  package init(_ folder: String, _ fault: Fault = .none, trace: String? = nil) {
    let (kind, number) =
      switch fault {
      case .none: (FAULTY_DISK_WATCH, 0)
      case .failing(let number): (FAULTY_DISK_FAIL, number)
      case .full(let number): (FAULTY_DISK_FULL, number)
      case .killing(let number, true): (FAULTY_DISK_KILL_BEFORE, number)
      case .killing(let number, false): (FAULTY_DISK_KILL_AFTER, number)
      }
    armed = faulty_disk_arm(folder, kind, number, trace)
    precondition(armed >= 0, "no trace can be written")
  }

  deinit {
    faulty_disk_disarm(armed)
  }

  /// How many operations there were.
  package var operations: Int { faulty_disk_operations(armed) }

  /// Whether the fault has come.
  package var hasHappened: Bool { faulty_disk_happened(armed) == 1 }

  /// Lets everything through again.
  package func mend() { faulty_disk_mend(armed) }
}
