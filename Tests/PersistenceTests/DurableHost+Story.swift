import GraphStories
import JSON
import SignalGraph
import TestSupport

extension DurableHost {
  /// Has a story happen.
  ///
  /// - Parameter kills: Whether it is killed where the story says so; nothing else is done to it.
  func play(_ story: OracleStory, killing kills: Bool = false) throws {
    for step in story.steps {
      // At one instant a test sends before timers run, and a daemon after them: here no two meet.
      goOn(by: .microseconds(3))
      switch step {
      case .send(let name, let json): send(.received(json), to: name, message: nil)
      case .end(let name, let ending): end(name, with: ending)
      case .advance(let time): goOn(by: time)
      case .kill where kills: try kill()
      default: break
      }
      settle()
    }
  }

  /// Has time go on from timer to timer.
  private func goOn(by time: Duration) {
    var rest = time
    while let next = untilDeadline, next <= rest {
      pass(max(.zero, next))
      rest -= max(.zero, next)
      settle()
    }
    pass(rest)
    settle()
  }
}
