import Glibc

/// Reports changes of the mounts in this process's namespace, which the kernel signals as an error condition of their
/// list.
final class MountWatcher {
  private let poller: Poller
  private let list: OwnedDescriptor
  private let key: Poller.Key

  private final class Target: PollTarget {
    private let changed: () -> Void

    init(_ changed: @escaping () -> Void) { self.changed = changed }

    func ready(_ readiness: Readiness) { changed() }
  }

  init(_ poller: Poller, _ changed: @escaping () -> Void) throws(Errno) {
    let path = "/proc/self/mountinfo"
    let number = retryingInterrupts { open(path, O_RDONLY | O_CLOEXEC) }
    if number == -1 { throw .last("open", path) }
    list = OwnedDescriptor(owning: number)
    self.poller = poller
    // The list is always readable; the condition is reported in any case.
    key = try poller.add(number, Target(changed), for: [])
  }

  deinit { try? poller.remove(key, list.number) }
}
