import CSystemd
import Glibc

extension BusConnection {
  /// Waits until the bus has taken it in, for programs that have nothing else to do.
  ///
  /// - Throws: `ETIMEDOUT` at the deadline, and what has ended the connection.
  package func waitUntilReady(before deadline: MonotonicInstant) throws(Errno) {
    while !isReady {
      if try process() { continue }
      try wait(before: deadline)
    }
  }

  /// Calls a method and waits for what it returns, or for the error that it is answered with.
  ///
  /// An answer that makes no values, or does not come in time, is an error as well.
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
          result = .failure(BusError(name: "", message: "the answer makes no value: \(error)"))
        }
      }
    }
    defer { withExtendedLifetime(slot) {} }
    // sd-bus answers for somebody who does not, at the deadline; this is for when it does not come to that.
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
