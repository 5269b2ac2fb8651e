internal import Glibc
internal import Linux

/// The reason that the bridge does not start, and its exit status.
struct StartFailure: Error {
  let message: String
  let status: Int32
}

extension StartFailure {
  init(_ error: Errno) { self.init(message: "\(error)", status: EX_OSERR) }
}
