import Glibc
import Linux
import TestSupport

/// The waiting times of clients for a daemon, the longest of each, and the longest work of the daemon meanwhile.
///
/// A busy machine makes every client wait now and then; the requirement is that the daemon never works long on one task
/// while others wait.
struct Pauses: CustomStringConvertible {
  /// Processor time of the daemon: the process's, or this thread's if it runs here.
  private let clock: clockid_t
  private var begin = (time: MonotonicInstant.now(), work: Duration.zero)
  private(set) var longest = Duration.zero
  private(set) var longestWork = Duration.zero
  /// Its total work in all pauses.
  private(set) var allWork = Duration.zero

  init(of host: any Host) {
    var clock = CLOCK_THREAD_CPUTIME_ID
    if let host = host as? ProgramHost { clock_getcpuclockid(host.process.identifier, &clock) }
    self.clock = clock
    begins()
  }

  /// Starts a pause here instead of at the end of the previous one.
  mutating func begins() { begin = (.now(), work) }

  mutating func ends() {
    let end = (time: MonotonicInstant.now(), work: work)
    longest = max(longest, end.time - begin.time)
    longestWork = max(longestWork, end.work - begin.work)
    allWork += end.work - begin.work
    begin = end
  }

  /// A pause that is too short to matter, however little work there is in all.
  private static let moment = Duration.milliseconds(5)

  /// True if the work was spread over the pauses: none had as much as a quarter of it.
  ///
  /// It is a ratio, since a busy machine and a debug build slow all of them alike. A sanitizer does not: its own work, such as
  /// the reuse of freed memory, comes in long pieces, so nothing is required then.
  var areShort: Bool { BuiltProgram.isSanitized || longestWork < max(Self.moment, allWork / 4) }

  var description: String { "\(longest) at most, for \(longestWork) of which the daemon worked, of \(allWork) in all" }

  private var work: Duration {
    var time = timespec()
    clock_gettime(clock, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
