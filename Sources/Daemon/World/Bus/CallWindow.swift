import Linux
import Queues

/// Calls on one connection, of which so many are under way at the same time and the others wait: a bus bounds them.
final class CallWindow {
  /// How many may wait.
  static let mostWaiting = 65_536

  private let connection: BusConnection
  private let width: Int
  private var underWay: [ObjectIdentifier: BusCall] = [:]
  private var waiting = FirstInFirstOut<BusCall>()
  private var isClosed = false

  init(_ connection: BusConnection, width: Int) {
    self.connection = connection
    self.width = width
  }

  var waitingCount: Int { waiting.count }

  /// Makes a call as soon as there is room.
  func add(_ call: BusCall) {
    if isClosed { return }
    waiting.append(call)
    makeCalls()
  }

  /// Makes no call any more, and tells nothing of those under way.
  func close() {
    isClosed = true
    waiting = FirstInFirstOut()
    underWay = [:]
  }

  private func makeCalls() {
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

/// A call of a method, from when somebody wants it made until it is answered.
final class BusCall {
  /// Why there is no message.
  enum Failure: Error {
    case message(BusValueError)
    case system(Errno)
  }

  typealias Writer = (BusConnection) throws(Failure) -> OutgoingBusMessage

  private let timeout: Duration
  private var write: Writer?
  private var answered: ((borrowing BusMessage) -> Void)?
  private var failed: ((Failure) -> Void)?
  private var finished: (() -> Void)?
  private var slot: BusSlot?
  private(set) var isCancelled = false

  /// - Parameters:
  ///   - write: Writes the message when its time has come.
  ///   - failed: Told that there is none, or that it cannot be sent.
  ///   - answered: Told the answer, which may be an error.
  init(
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
      let failed = isCancelled ? nil : failed
      end()
      failed?(error)
    }
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

  /// Nobody is told any more; a call that is under way keeps its room until the bus has answered it.
  func cancel() {
    isCancelled = true
    answered = nil
    failed = nil
  }
}
