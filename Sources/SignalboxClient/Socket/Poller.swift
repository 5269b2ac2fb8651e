internal import CEpoll
internal import Glibc
internal import Synchronization

/// Waits for descriptors on a thread of its own, shared by all connections (`epoll(7)`).
///
/// A descriptor is armed for one wait at a time, so that nothing is read unless requested.
final class Poller: Sendable {
  static let shared = Poller()

  private struct State {
    var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    /// Waits that were cancelled before they began.
    var cancelled: Set<UInt64> = []
    var lastToken: UInt64 = 0
  }

  private let descriptor: Int32
  private let state = Mutex(State())

  private init() {
    descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    precondition(descriptor >= 0, "epoll_create1: \(errno)")
    var thread = pthread_t()
    let poller = Unmanaged.passRetained(self)
    let status = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Poller>.fromOpaque(argument).takeUnretainedValue().run()
        return nil
      }, poller.toOpaque())
    precondition(status == 0, "pthread_create: \(status)")
    pthread_detach(thread)
  }

  /// Adds a descriptor, not yet armed.
  func add(_ number: Int32) {
    var event = epoll_event(events: 0, data: epoll_data_t(u64: 0))
    epoll_ctl(descriptor, EPOLL_CTL_ADD, number, &event)
  }

  /// Removes a descriptor before it is closed.
  func remove(_ number: Int32) { epoll_ctl(descriptor, EPOLL_CTL_DEL, number, nil) }

  /// Waits until a descriptor is ready, has failed, or the task is cancelled.
  func wait(for number: Int32, toWrite: Bool) async {
    let token = state.withLock { state in
      state.lastToken += 1
      return state.lastToken
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isCancelled = state.withLock { state in
          if state.cancelled.remove(token) != nil { return true }
          state.waiters[token] = continuation
          return false
        }
        if isCancelled { return continuation.resume() }
        let mask = (toWrite ? EPOLLOUT.rawValue : EPOLLIN.rawValue) | EPOLLONESHOT.rawValue
        var event = epoll_event(events: mask, data: epoll_data_t(u64: token))
        if epoll_ctl(descriptor, EPOLL_CTL_MOD, number, &event) != 0 { resume(token) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        let waiter = state.waiters.removeValue(forKey: token)
        if waiter == nil { state.cancelled.insert(token) }
        return waiter
      }
      waiter?.resume()
    }
    _ = state.withLock { $0.cancelled.remove(token) }
  }

  private func resume(_ token: UInt64) {
    state.withLock { $0.waiters.removeValue(forKey: token) }?.resume()
  }

  private func run() {
    var events = [epoll_event](repeating: epoll_event(), count: 64)
    while true {
      let count = epoll_wait(descriptor, &events, Int32(events.count), -1)
      for event in events.prefix(max(0, Int(count))) { resume(event.data.u64) }
    }
  }
}
