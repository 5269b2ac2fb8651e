import GraphEngine
import Linux
import Signals

/// A query that the system answers; the world finds this conformance by itself.
protocol SystemQuery<Start, Event>: WorldQuery {
  /// Delivers the events, on the loop and never before it has returned, until the result is disposed of.
  func follow(
    with services: SystemServices, from start: Start, _ receive: @escaping (Event) -> Void
  ) throws(Errno) -> any Disposable
}
