extension DateScheduler {
  /// Runs `action` at `date` and every `interval` after that, timer by timer, until `next` is disposed of.
  func repeatAction(
    _ action: @escaping () -> Void, at date: Instant, every interval: Duration, _ next: SerialDisposable
  ) {
    next.inner = schedule(after: date) { [weak self] in
      action()
      guard !next.isDisposed else { return }
      self?.repeatAction(action, at: date + interval, every: interval, next)
    }
  }
}
