/// The connections of one kind, such as HTTP, and all that is done with them.
protocol AdapterKind: AnyObject {
  /// The name in the configuration and in `attach`.
  var name: String { get }

  /// Begins with the declarations of a daemon that has taken the adapter.
  func attach(_ session: DaemonSession, _ declarations: DeclarationChange)
  /// Drops all state of a disconnected daemon.
  func detach()
  func change(_ change: DeclarationChange)
  func perform(_ task: AdapterTask)
  func cancel(task: Int)
  /// Begins what was held up while the daemon was slow.
  func resume()
  /// Begins nothing more, and ends what may take for ever.
  func stop()
  /// The number of tasks that are being carried out.
  var running: Int { get }
}
