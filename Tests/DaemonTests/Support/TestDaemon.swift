import Linux
import TestSupport

/// A daemon under test and its folder.
final class TestDaemon {
  let host: any Host
  let folder: TemporaryFolder

  init(_ host: any Host, folder: TemporaryFolder) {
    self.host = host
    self.folder = folder
  }

  func connect() throws -> TestClient { try TestClient(self) }

  /// Runs the daemon until a condition holds.
  func iteration(within patience: Duration = .seconds(60), until condition: () throws -> Bool) throws {
    let deadline = MonotonicInstant.now() + patience
    while try !condition() {
      try host.iteration()
      if MonotonicInstant.now() > deadline { throw Unexpected("it did not happen within \(patience)") }
    }
  }
}

/// An unexpected result of a test.
struct Unexpected: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
