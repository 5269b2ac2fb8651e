import Linux
import TestSupport

/// A daemon under test and the folder that it lives in.
final class TestDaemon {
  let host: any Host
  let folder: TemporaryFolder

  init(_ host: any Host, folder: TemporaryFolder) {
    self.host = host
    self.folder = folder
  }

  func connect() throws -> TestClient { try TestClient(self) }

  /// Lets the daemon go on until a condition holds.
  func turn(within patience: Duration = .seconds(60), until condition: () throws -> Bool) throws {
    let deadline = MonotonicInstant.now() + patience
    while try !condition() {
      try host.turn()
      if MonotonicInstant.now() > deadline { throw Unexpected("it did not happen within \(patience)") }
    }
  }
}

/// Something else happened than a test expects.
struct Unexpected: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
