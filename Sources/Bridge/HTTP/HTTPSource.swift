/// A source that is fed from a connection by HTTP, while its declaration is there.
protocol HTTPSource: AnyObject {
  /// The name of its connection.
  var connection: String { get }

  func start()
  /// Ends it without further calls.
  func stop()
  /// Goes on over a connection with other settings, behind what the daemon has.
  ///
  /// - Returns: False for a source that has ended, which has to be made again.
  func move(to place: HTTPConnection) -> Bool
  /// Resumes reading once the daemon has caught up.
  func resume()
}
