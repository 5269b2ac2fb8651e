import Base
import Glibc
package import Linux

/// Calls on one connection with a limit on those in progress, since a bus bounds them; the others wait.
package final class CallWindow {
  /// The most calls that may wait.
  static let mostWaiting = 65_536

  private let connection: BusConnection
  private let width: Int
  private var underWay: [ObjectIdentifier: BusCall] = [:]
  private var waiting = FirstInFirstOut<BusCall>()
  private var isMaking = false
  private var isClosed = false

  init(_ connection: BusConnection, width: Int) {
    self.connection = connection
    self.width = width
  }

  var waitingCount: Int { waiting.count }

  /// Makes a call as soon as the limit allows.
  package func add(_ call: BusCall) {
    if isClosed { return }
    if waiting.count >= Self.mostWaiting { return call.fail(.system(Errno(ENOBUFS, call: "sd_bus_call_async"))) }
    waiting.append(call)
    makeCalls()
  }

  /// Stops making calls, and ignores the answers to those in progress.
  func close() {
    isClosed = true
    waiting = FirstInFirstOut()
    underWay = [:]
  }

  private func makeCalls() {
    // A call that fails at once leaves its place to the next one of the loop that has made it.
    if isMaking { return }
    isMaking = true
    defer { isMaking = false }
    while underWay.count < width, let call = waiting.popFirst() {
      if call.isCancelled { continue }
      let key = ObjectIdentifier(call)
      underWay[key] = call
      call.make(on: connection) { [unowned self] in
        underWay[key] = nil
        makeCalls()
      }
    }
  }
}

/// A call of a method, from its request to its answer.
package final class BusCall {
  /// The reason that a message cannot be sent.
  package enum Failure: Error {
    case message(BusValueError)
    case system(Errno)
  }

  package typealias Writer = (BusConnection) throws(Failure) -> OutgoingBusMessage

  private let timeout: Duration
  private var write: Writer?
  private var answered: ((borrowing BusMessage) -> Void)?
  private var failed: ((Failure) -> Void)?
  private var finished: (() -> Void)?
  private var slot: BusSlot?
  private(set) var isCancelled = false

  /// - Parameters:
  ///   - write: Encodes the message when it is to be sent.
  ///   - failed: Called if it cannot be encoded or sent.
  ///   - answered: Called with the answer, which may be an error.
  package init(
    timeout: Duration = .seconds(25), _ write: @escaping Writer, failed: @escaping (Failure) -> Void,
    answered: @escaping (borrowing BusMessage) -> Void
  ) {
    self.timeout = timeout
    self.write = write
    self.failed = failed
    self.answered = answered
  }

  fileprivate func make(on connection: BusConnection, _ finished: @escaping () -> Void) {
    guard let write else { return finished() }
    self.write = nil
    self.finished = finished
    do throws(Failure) {
      let message = try write(connection)
      do throws(Errno) {
        slot = try connection.call(message, timeout: timeout) { [unowned self] answer in finish(answer) }
      } catch {
        throw .system(error)
      }
    } catch {
      fail(error)
    }
  }

  fileprivate func fail(_ failure: Failure) {
    let failed = isCancelled ? nil : failed
    end()
    failed?(failure)
  }

  private func finish(_ answer: borrowing BusMessage) {
    let answered = isCancelled ? nil : answered
    end()
    answered?(answer)
  }

  private func end() {
    slot = nil
    answered = nil
    failed = nil
    finished.take()?()
  }

  /// Discards the answer; a call in progress counts against the limit until the bus has answered it.
  func cancel() {
    isCancelled = true
    answered = nil
    failed = nil
  }
}
