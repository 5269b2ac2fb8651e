internal import GraphModel
internal import JSON
internal import Linux
internal import Persistence
internal import WireProtocol

/// The keys of `dev`: scrolls the page, and carries out what the user types.
final class DevelopmentConsole {
  /// A request to the loop.
  enum Request {
    case quit, startAgain
  }

  /// The number of lines that a command may add to the page.
  static let mostLines = 1000

  private let path: String
  private let state: String
  private let screen: ScreenLoop
  /// Called when the page is to be drawn again.
  private let onChange: () -> Void
  /// The answer to what was typed last.
  private(set) var notice: [MarkedText] = []
  private(set) var prompt: InputPrompt?
  var scrolling = Scrolling()
  private var question: ProgramRun?

  /// - Parameters:
  ///   - path: The configuration file.
  ///   - state: The state directory of the daemon.
  init(_ path: String, state: String, _ screen: ScreenLoop, onChange: @escaping () -> Void) {
    (self.path, self.state, self.screen, self.onChange) = (path, state, screen, onChange)
  }

  /// Ends the command that is under way.
  func end() { question?.kill() }

  /// Shows the page from its beginning, without an answer.
  func reset() {
    notice = []
    scrolling.moveToStart()
  }

  /// Handles a key.
  ///
  /// - Parameters:
  ///   - page: The number of lines that the screen shows.
  ///   - configuration: The running configuration.
  ///   - live: The connection to the daemon, if it runs.
  func press(_ key: Key, page: Int, _ configuration: Configuration?, _ live: LiveSignals?) -> Request? {
    if prompt != nil {
      type(key, configuration, live)
      return nil
    }
    switch key {
    case .character("q"): return .quit
    case .character("s"): prompt = InputPrompt(.send)
    case .character("w"): prompt = InputPrompt(.why)
    case .character("r"):
      reset()
      return .startAgain
    case .escape: notice = []
    default: scrolling.press(key, page: page)
    }
    return nil
  }

  /// Shows that something has failed.
  func show(_ subject: String, _ error: CommandError) {
    notice = [MarkedText("\(subject): ", .title) + MarkedText(error.message ?? "failed", .error)]
  }

  private func type(_ key: Key, _ configuration: Configuration?, _ live: LiveSignals?) {
    guard var prompt else { return }
    if key == .enter {
      self.prompt = nil
      return carryOut(prompt, configuration, live)
    }
    let names = configuration?.graphs.flatMap(\.signals).filter { !$0.isCondition }.map(\.name) ?? []
    self.prompt = prompt.press(key, names: names) ? prompt : nil
  }

  private func carryOut(_ prompt: InputPrompt, _ configuration: Configuration?, _ live: LiveSignals?) {
    let words = prompt.text.split(separator: " ", maxSplits: prompt.purpose == .send ? 1 : .max).map(String.init)
    if words.isEmpty { return }
    scrolling.moveToStart()
    do throws(CommandError) {
      switch prompt.purpose {
      case .send: try send(words, live)
      case .why: try explain(words, configuration)
      }
    } catch { show(prompt.text, error) }
  }

  private func send(_ words: [String], _ live: LiveSignals?) throws(CommandError) {
    guard words.count == 2 else { throw .usage("a value is missing: SIGNAL VALUE, as in \(words[0]) 21") }
    guard let live else { throw CommandError(.unreachable, "no daemon is running") }
    var values = SentValues(isText: false)
    let value: JSONValue
    do throws(CommandError) { value = try values.value(of: Array(words[1].utf8)) } catch {
      throw CommandError(.badValue, "\(words[1]) is not JSON; a text is in quotes: \(JSONValue.string(words[1]))")
    }
    try live.ask(SendRequest(signal: words[0], value: .value(value))) { [unowned self] answer in
      if let failure = answer.failure { return show("send \(words[0])", failure) }
      notice = [MarkedText("sent ", .success) + MarkedText("\(words[0]) \(value)")]
    }
  }

  private func explain(_ words: [String], _ configuration: Configuration?) throws(CommandError) {
    let graph = configuration?.graphs.first { graph in graph.signals.contains { words.contains($0.name) } }
    if let graph, graph.durability == nil {
      throw CommandError(
        .unknown,
        "graph \"\(graph.name)\" is not durable: no history of its signals is kept; set \"durable: true\" in the graph")
    }
    question?.kill()
    notice = [MarkedText("why \(words.joined(separator: " "))", .title)]
    let options = ["--color", "never", "--config", path, "--state", state]
    let run = try ProgramRun([CurrentProcess.programPath, "why"] + options + words) { [unowned self] stream, line in
      if notice.count < Self.mostLines { notice.append(MarkedText(line, stream == .errors ? .error : nil)) }
      onChange()
    }
    question = run
    try run.follow(screen) { [unowned self] _ in
      question = nil
      onChange()
    }
  }
}
