internal import Linux

/// A connection to a broker, with the sources that it feeds and the messages that are published over it.
protocol BrokerConnection: AnyObject {
  var declaration: ConnectionDeclaration { get }
  /// True if the broker keeps a session for the client, for durable graphs.
  var isPersistent: Bool { get }
  var state: ConnectionState { get }
  /// The number of tasks that are being carried out.
  var running: Int { get }

  init(_ declaration: ConnectionDeclaration, isPersistent: Bool, loop: EventLoop, poller: Poller, log: Log) throws

  /// Fails all tasks that it has not answered, so that the daemon gives them again; answers that come later have no effect.
  func giveBack()
  /// Takes the place of a connection that had other settings, and is closed.
  func replace(_ former: Self)
  /// Connects, and from then on again after each loss.
  func connect()
  /// Ends it for good, without a farewell to the broker.
  func close()
  /// Ends it for good where the configuration has it no more, or with other settings: leaves nothing at the broker that its
  /// successor does not take over.
  ///
  /// - Parameter done: Called once the broker has been told.
  func retire(for successor: Self?, done: @escaping () -> Void)
  func attach(_ session: DaemonSession)
  func detach()
  /// Resumes reading once the daemon has caught up.
  func resume()
  /// Begins nothing more.
  func stop()
  func add(_ source: SignalDeclaration) throws(TaskFailure)
  func remove(_ run: SignalRun)
  /// Returns the position of the last value of a source that the daemon has, if it has positions.
  func position(of run: SignalRun) -> String?
  /// Records everything that is declared for it.
  func note(_ declarations: [SignalDeclaration])
  func perform(_ task: AdapterTask)
  func cancel(_ task: Int)
}

extension BrokerConnection {
  func retire(for successor: Self?, done: @escaping () -> Void) {
    close()
    done()
  }
  func position(of run: SignalRun) -> String? { nil }
  func replace(_ former: Self) {}
  func note(_ declarations: [SignalDeclaration]) {}
}
