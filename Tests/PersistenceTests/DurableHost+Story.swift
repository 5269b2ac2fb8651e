import GraphStories
import JSON
import TestSupport

extension DurableHost {
  /// Plays a story.
  ///
  /// - Parameter kills: Pass `true` to kill it where the story does; its other steps are unaffected.
  func play(_ story: OracleStory, killing kills: Bool = false) throws {
    for step in story.steps {
      // At one instant a test sends before timers run, and a daemon after them: here the two never coincide.
      resume(by: .microseconds(3))
      switch step {
      case .send(let name, let json): send(.received(json), to: name, message: nil)
      case .end(let name, let ending): end(name, with: ending)
      case .advance(let time): resume(by: time)
      case .kill where kills: try kill()
      default: break
      }
      settle()
    }
  }

  /// Advances the time from timer to timer.
  private func resume(by time: Duration) {
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
