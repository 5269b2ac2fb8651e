package import GraphEngine
package import Signals

/// The queries of graphs, whose events come from a test.
package final class PlayedQueries {
  private final class Followed<Query: WorldQuery> {
    let query: Query
    let start: Query.Start
    let receive: (Query.Event) -> Void
    let token = AnyDisposable {}

    init(_ query: Query, _ start: Query.Start, _ receive: @escaping (Query.Event) -> Void) {
      (self.query, self.start, self.receive) = (query, start, receive)
    }
  }

  /// All queries, in the order of their start.
  private var followed: [AnyObject] = []
  /// The index of the first one that still receives events.
  private var first = 0

  package init() {}

  package func follow<Query: WorldQuery>(
    _ query: Query, from start: Query.Start, _ receive: @escaping (Query.Event) -> Void
  ) -> any Disposable {
    let new = Followed(query, start, receive)
    followed.append(new)
    return new.token
  }

  private func all<Query: WorldQuery>(_ type: Query.Type) -> [Followed<Query>] {
    followed.compactMap { $0 as? Followed<Query> }
  }

  private func present<Query: WorldQuery>(_ type: Query.Type) -> [Followed<Query>] {
    followed[first...].compactMap { $0 as? Followed<Query> }.filter { !$0.token.isDisposed }
  }

  /// Returns all queries of a type so far with their starting points, in the order of their start.
  package func starts<Query: WorldQuery>(of type: Query.Type) -> [(query: Query, start: Query.Start)] {
    all(type).map { ($0.query, $0.start) }
  }

  /// Returns the queries of a type that are followed now.
  package func followed<Query: WorldQuery>(_ type: Query.Type) -> [Query] { present(type).map(\.query) }

  /// Delivers events to those who follow the queries that match.
  package func deliver<Query: WorldQuery>(
    _ events: [Query.Event], to type: Query.Type, where matches: (Query) -> Bool = { _ in true }
  ) {
    for event in events {
      for one in present(type) where matches(one.query) && !one.token.isDisposed { one.receive(event) }
    }
  }

  /// Delivers no more events to those who follow queries now.
  package func forget() { first = followed.count }
}
