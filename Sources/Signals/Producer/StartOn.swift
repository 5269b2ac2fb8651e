extension SignalProducer {
  /// This producer, its work begun by a scheduler.
  ///
  /// Events are delivered on the threads that send them. A run that is disposed of before its turn never begins.
  public func start(on scheduler: any Scheduler) -> SignalProducer<Value, Failure> {
    SignalProducer(begin: { observer, run in
      guard run.begin(with: Relay(observer)) else { return }
      let work = scheduler.schedule { if run.isLive { feed(observer, in: run) } }
      if let work { run.resources.hold(work) }
    })
  }
}
