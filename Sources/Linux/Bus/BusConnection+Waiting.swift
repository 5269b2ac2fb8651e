import CSystemd
import Glibc

extension BusConnection {
  /// Blocks until the bus has accepted the connection, for programs without an event loop.
  ///
  /// - Throws: `ETIMEDOUT` at the deadline, or the error that closed the connection.
  package func waitUntilReady(before deadline: MonotonicInstant) throws(Errno) {
    while !isReady {
      if try process() { continue }
      try wait(before: deadline)
    }
  }

  /// Calls a method and waits for its result or its error.
  ///
  /// A reply that cannot be decoded or is late counts as an error.
  package func ask(
    _ message: borrowing OutgoingBusMessage, before deadline: MonotonicInstant
  ) throws(Errno) -> Result<[BusValue], BusError> {
    var result: Result<[BusValue], BusError>?
    let left = max(deadline - .now(), .milliseconds(1))
    let slot = try call(message, timeout: left) { answer in
      if let error = answer.error {
        result = .failure(error)
      } else {
        do throws(BusValueError) {
          result = .success(try answer.values())
        } catch {
          result = .failure(BusError(name: "", message: "invalid answer: \(error)"))
        }
      }
    }
    defer { withExtendedLifetime(slot) {} }
    // sd-bus generates a timeout error at the deadline; this limit applies if that fails.
    let last = deadline + .seconds(1)
    while true {
      if let result { return result }
      if try process() { continue }
      try wait(before: last)
    }
  }

  private func wait(before deadline: MonotonicInstant) throws(Errno) {
    let left = (deadline - .now()).nanoseconds / 1000
    guard left > 0 else { throw Errno(ETIMEDOUT, call: "sd_bus_wait") }
    let result = sd_bus_wait(bus, UInt64(left))
    if result < 0, result != -EINTR { throw Errno(-result, call: "sd_bus_wait") }
  }
}
