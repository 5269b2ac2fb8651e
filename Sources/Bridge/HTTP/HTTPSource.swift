/// A source that is fed from a connection by HTTP, while its declaration is there.
protocol HTTPSource: AnyObject {
  /// The name of its connection.
  var connection: String { get }

  func start()
  /// Ends it without further calls.
  func stop()
  /// Resumes reading once the daemon has caught up.
  func resume()
}
