import CFaultyDisk

/// A faulty disk between SQLite and a folder, for its own lifetime.
package final class FaultyDisk: Sendable {
  /// The fault.
  package enum Fault: Sendable {
    case none
    /// One operation fails: a write, a sync, the creation or the deletion of a file.
    case failing(at: Int)
    /// From one operation on writes fail for lack of space.
    case full(at: Int)
    /// The process ends before or after one operation.
    case killing(at: Int, before: Bool)
  }

  private let armed: Int32

  /// - Parameter trace: the path of a file that records each operation.
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

  /// The number of operations so far.
  package var operations: Int { faulty_disk_operations(armed) }

  /// True once the fault has occurred.
  package var hasHappened: Bool { faulty_disk_happened(armed) == 1 }

  /// Makes all later writes fail for lack of space.
  package func fill() { faulty_disk_fill(armed) }

  /// Removes the fault.
  package func mend() { faulty_disk_mend(armed) }
}
