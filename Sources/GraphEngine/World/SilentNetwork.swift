package import Signals

/// A network on which nothing is and nothing happens.
package final class SilentNetwork: NetworkWorld {
  package init() {}

  package var isSilent: Bool { true }

  package func follow(
    _ source: NetworkSource, from position: String?, _ receive: @escaping (NetworkEvent) -> Void
  ) -> any Disposable { AnyDisposable {} }

  package func carryOut(_ task: NetworkTask, _ receive: @escaping (TaskAnswer) -> Void) -> any Disposable {
    AnyDisposable {}
  }
}
