import Linux
import Queues

/// Work that may never end, such as the output of a program: a little of it is done each turn, and clients are served
/// between.
final class Piecework {
  /// How long it works at most before clients are served.
  private static let share = Duration.milliseconds(2)
  /// How many bytes a piece has, of which each may be a line and a turn of the graphs.
  static let piece = 4096

  private let loop: EventLoop
  /// Called before anything is done in a turn of the loop.
  var begin: () -> Void = {}
  /// Whether nothing more is to be read, until `goOn` is called.
  var isHeldUp: () -> Bool = { false }
  /// In the order in which they have their turn.
  private var waiting = FirstInFirstOut<any Pieceworker>()
  /// Those that are to read no more for now.
  private var held: [any Pieceworker] = []
  private var isPosted = false
  private var isClosed = false

  init(loop: EventLoop) { self.loop = loop }

  /// Has somebody go on who is not waiting already.
  func add(_ worker: any Pieceworker) {
    guard !worker.isWaiting, !isClosed else { return }
    worker.isWaiting = true
    waiting.append(worker)
    post()
  }

  /// Lets go of all who wait, and takes nobody on any more.
  func close() {
    isClosed = true
    waiting = FirstInFirstOut()
    held = []
  }

  /// Has those go on who were held up.
  func goOn() {
    if held.isEmpty || isHeldUp() { return }
    for worker in held { waiting.append(worker) }
    held = []
    post()
  }

  private func post() {
    if isPosted { return }
    isPosted = true
    // Posted work belongs to the loop, which may outlast this.
    loop.post { [weak self] in self?.work() }
  }

  private func work() {
    isPosted = false
    begin()
    let end = MonotonicInstant.now() + Self.share
    while let worker = waiting.popFirst() {
      if worker.isReader, isHeldUp() {
        held.append(worker)
        continue
      }
      worker.isWaiting = false
      if worker.doPiece() { add(worker) }
      if MonotonicInstant.now() >= end { break }
    }
    if !waiting.isEmpty { post() }
  }
}

/// Somebody who works a piece at a time.
protocol Pieceworker: AnyObject {
  /// Whether it is in the line; for the line alone to say.
  var isWaiting: Bool { get set }
  /// Whether it reads what it can leave where it is for a while: a file, a journal, the output of a program.
  var isReader: Bool { get }

  /// Does a piece; whether there may be more to do at once.
  func doPiece() -> Bool
}

extension Pieceworker {
  var isReader: Bool { false }
}
