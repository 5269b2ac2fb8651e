package import JSON
package import ReactiveCore
package import SignalGraph

/// Buses that a test plays: it sees who watches and listens, and answers what is asked.
package final class PlayedBuses: BusWorld {
  /// Something that somebody wants to hear of.
  private final class Listener {
    let token = AnyDisposable {}
    private let tell: (BusEvent) -> Void
    /// Whether it has been told anything.
    private(set) var isGreeted = false

    init(_ tell: @escaping (BusEvent) -> Void) { self.tell = tell }

    func receive(_ event: BusEvent) {
      isGreeted = true
      if !token.isDisposed { tell(event) }
    }
  }

  private var watches: [(properties: BusProperties, listener: Listener)] = []
  private var listens: [(signal: BusSignal, listener: Listener)] = []
  /// All that was asked, in its order.
  package private(set) var questions: [PlayedQuestion] = []

  package init() {}

  /// Has nobody hear anything any more, and forgets what was asked.
  package func forget() { (watches, listens, questions) = ([], [], []) }

  /// The properties that are watched now.
  package var watched: [BusProperties] { watches.filter { !$0.listener.token.isDisposed }.map(\.properties) }
  /// How often properties have been watched so far.
  package var watchCount: Int { watches.count }
  /// The signals that are listened to now.
  package var heard: [BusSignal] { listens.filter { !$0.listener.token.isDisposed }.map(\.signal) }

  // MARK: What the test says

  /// Tells an event to all who watch an object, by its path, or any.
  package func tell(_ event: BusEvent, of path: String? = nil) {
    for (properties, listener) in watches where path == nil || properties.object.path == path {
      listener.receive(event)
    }
  }

  /// Tells those who have come since, and were told nothing, how everything stands.
  package func greet(_ event: (BusProperties) -> BusEvent) {
    for (properties, listener) in watches where !listener.isGreeted { listener.receive(event(properties)) }
  }

  package func tell(_ values: [String: JSONValue], of path: String? = nil) { tell(.properties(values), of: path) }

  /// Emits a signal of any interface.
  package func emit(_ member: String, _ arguments: JSONValue...) {
    for (signal, listener) in listens where signal.member == member { listener.receive(.arguments(arguments)) }
  }

  // MARK: What graphs do

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

/// A method that was called or a property that was set, which a test answers.
package final class PlayedQuestion {
  /// `Member [arguments]`, or `Property = value`.
  package let text: String
  package let method: BusMethod?
  fileprivate let token = AnyDisposable {}
  private var receive: ((BusAnswer) -> Void)?

  fileprivate init(_ text: String, _ method: BusMethod?, _ receive: @escaping (BusAnswer) -> Void) {
    (self.text, self.method, self.receive) = (text, method, receive)
  }

  /// Whether nobody wants the answer any more.
  package var isWithdrawn: Bool { token.isDisposed }

  package func answer(_ answer: BusAnswer) {
    let receive = receive.take()
    if !isWithdrawn { receive?(answer) }
  }
}
