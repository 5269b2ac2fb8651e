import GraphEngine
package import GraphModel
package import JSON
package import Signals

/// Buses controlled by a test: it sees the watches and subscriptions, and answers the calls.
package final class PlayedBuses: BusWorld {
  /// A receiver of bus events.
  private final class Listener {
    let token = AnyDisposable {}
    private let tell: (BusEvent) -> Void
    /// True once it has received an event.
    private(set) var isGreeted = false

    init(_ tell: @escaping (BusEvent) -> Void) { self.tell = tell }

    func receive(_ event: BusEvent) {
      isGreeted = true
      if !token.isDisposed { tell(event) }
    }
  }

  private var watches: [(properties: BusProperties, listener: Listener)] = []
  private var listens: [(signal: BusSignal, listener: Listener)] = []
  /// All calls, in order.
  package private(set) var questions: [PlayedQuestion] = []

  package init() {}

  /// Removes all receivers and recorded calls.
  package func forget() { (watches, listens, questions) = ([], [], []) }

  /// The properties watched now.
  package var watched: [BusProperties] { watches.filter { !$0.listener.token.isDisposed }.map(\.properties) }
  /// The number of watches so far.
  package var watchCount: Int { watches.count }
  /// The signals subscribed to now.
  package var heard: [BusSignal] { listens.filter { !$0.listener.token.isDisposed }.map(\.signal) }

  // MARK: Control by the test

  /// Delivers an event to all watches of an object, by its path, or of any.
  package func tell(_ event: BusEvent, of path: String? = nil) {
    for (properties, listener) in watches where path == nil || properties.object.path == path {
      listener.receive(event)
    }
  }

  /// Delivers the current state to all watches without an event so far.
  package func greet(_ event: (BusProperties) -> BusEvent) {
    for (properties, listener) in watches where !listener.isGreeted { listener.receive(event(properties)) }
  }

  package func tell(_ values: [String: JSONValue], of path: String? = nil) { tell(.properties(values), of: path) }

  /// Emits a signal of any interface.
  package func emit(_ member: String, _ arguments: JSONValue...) {
    for (signal, listener) in listens where signal.member == member { listener.receive(.arguments(arguments)) }
  }

  // MARK: Graphs

  package func watch(_ properties: BusProperties, _ receive: @escaping (BusEvent) -> Void) -> any Disposable {
    let listener = Listener(receive)
    watches.append((properties, listener))
    return listener.token
  }

  package func listen(to signal: BusSignal, _ receive: @escaping (BusEvent) -> Void) -> any Disposable {
    let listener = Listener(receive)
    listens.append((signal, listener))
    return listener.token
  }

  package func call(
    _ method: BusMethod, with arguments: [JSONValue], _ receive: @escaping (BusAnswer) -> Void
  ) -> any Disposable {
    ask("\(method.member) \(JSONValue.array(arguments))", method, receive)
  }

  package func set(
    _ property: BusProperty, to value: JSONValue, _ receive: @escaping (BusAnswer) -> Void
  ) -> any Disposable {
    ask("\(property.name) = \(value)", nil, receive)
  }

  private func ask(
    _ text: String, _ method: BusMethod?, _ receive: @escaping (BusAnswer) -> Void
  ) -> any Disposable {
    let question = PlayedQuestion(text, method, receive)
    questions.append(question)
    return question.token
  }
}

/// A method call or a property write, which a test answers.
package final class PlayedQuestion {
  /// `Member [arguments]`, or `Property = value`.
  package let text: String
  package let method: BusMethod?
  fileprivate let token = AnyDisposable {}
  private var receive: ((BusAnswer) -> Void)?

  fileprivate init(_ text: String, _ method: BusMethod?, _ receive: @escaping (BusAnswer) -> Void) {
    (self.text, self.method, self.receive) = (text, method, receive)
  }

  /// True if the answer is not awaited any more.
  package var isWithdrawn: Bool { token.isDisposed }

  package func answer(_ answer: BusAnswer) {
    let receive = receive.take()
    if !isWithdrawn { receive?(answer) }
  }
}
