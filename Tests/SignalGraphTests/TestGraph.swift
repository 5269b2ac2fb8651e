import JSON
import ReactiveCore
import ReactiveTesting
import SignalGraph

/// A configuration at work in virtual time, with a record of everything that its signals said.
final class TestGraph: GraphWorld {
  private var started: GraphRuntime?
  private var log: [(signal: String, event: SignalEvent)] = []
  var files: [String: [UInt8]] = [:]
  private(set) var warnings: [String] = []
  private(set) var refusals: [RefusedValue] = []

  /// Starts the signals of one graph, `g`, given as the YAML under `signals:`.
  convenience init(signals: String) throws {
    try self.init(Self.configuration(signals: signals))
  }

  init(_ configuration: Configuration, files: [String: String] = [:]) {
    self.files = files.mapValues { Array($0.utf8) }
    let runtime = GraphRuntime(configuration, world: self, now: Instant(nanoseconds: 0), epoch: 0)
    started = runtime
    runtime.onRefusal = { [unowned self] in refusals.append($0) }
    for signal in runtime.signals { watch(signal) }
    runtime.start()
  }

  var runtime: GraphRuntime {
    guard let started else { preconditionFailure("the initializer starts it") }
    return started
  }

  static func configuration(signals: String) throws -> Configuration {
    let indented = signals.split(separator: "\n").map { "      \($0)" }.joined(separator: "\n")
    return try configuration("signalbox: 1\ngraphs:\n  g:\n    signals:\n\(indented)\n")
  }

  static func configuration(_ text: String) throws -> Configuration {
    try Configuration.load(.alone("test.yaml"), inputs: ConfigurationWorld(files: ["test.yaml": text]).inputs)
  }

  private func watch(_ signal: RunningSignal) {
    let short = signal.name.split(separator: ".").last.map(String.init) ?? signal.name
    signal.observer = { [unowned self] event in log.append((short, event)) }
  }

  func signal(_ name: String) -> RunningSignal {
    guard let signal = runtime.signal(named: name.contains(".") ? name : "g.\(name)") else {
      preconditionFailure("there is no signal \(name)")
    }
    return signal
  }

  func send(_ json: String, to name: String) throws {
    try runtime.send(.raw(RawJSON(validated: Array(json.utf8))), to: signal(name))
  }

  /// Does what one sign of a diagram stands for.
  func play(_ mark: MarbleDiagram.Mark, on name: String, _ values: ExampleValues) throws {
    switch mark {
    case .value(let letter): try runtime.send(.value(values.value(of: letter)), to: signal(name))
    case .completed: try runtime.end(signal(name), with: .completed)
    case .failed: try runtime.end(signal(name), with: .failed(SignalFailure(code: "error", message: "")))
    case .interrupted: try runtime.end(signal(name), with: .interrupted)
    }
  }

  /// Moves time on, short of the timers that are due then.
  func move(to seconds: Double) {
    runtime.clock.move(to: Instant(nanoseconds: Int64(seconds * 1e9)), stepping: true)
  }

  func advance(to seconds: Double) {
    move(to: seconds)
    runtime.clock.runDueTimers()
  }

  func reload(_ configuration: Configuration) -> ReloadVerdict {
    runtime.reload(configuration) { added, _ in added.forEach(watch) }
  }

  /// What was said since the last time it was asked, as `signal#sequence value`, by these signals.
  func said(by names: String...) -> [String] {
    defer { log = [] }
    return log.filter { names.isEmpty || names.contains($0.signal) }.map { signal, event in
      switch event {
      case .next(let payload, let sequence): "\(signal)#\(sequence) \(payload)"
      case .ended(.failed(let failure)): "\(signal) failed \(failure.code)"
      case .ended(let ending): "\(signal) \(ending)"
      }
    }
  }

  /// All events since the last time anything was asked, with the short names of their signals.
  func events() -> [(signal: String, event: SignalEvent)] {
    defer { log = [] }
    return log
  }

  /// The events of one signal since the last time anything was asked.
  func outcomes(of name: String) -> [SignalEvent] {
    defer { log = [] }
    return log.filter { $0.signal == name }.map(\.event)
  }

  func contents(ofFile path: String, limit: Int) -> [UInt8]? { files[path] }
  func log(_ message: String, signal: String) { warnings.append("\(signal.dropFirst(2)): \(message)") }
}
