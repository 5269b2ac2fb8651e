/// The documentation's rules for a storm: the expected events of each client.
final class StormModel {
  /// A subscription and its sources.
  final class Subscription {
    let client: Int
    let wish: StormWish
    var remaining: Int?
    /// By signal names: a private run, or `nil` for the shared one.
    var attachments: [String: Run?] = [:]
    /// By signal names, after their first value: the newest of the others, which waits.
    var waiting: [String: (value: Int, sequence: Int)?] = [:]
    var isOver = false

    init(_ client: Int, _ wish: StormWish) {
      (self.client, self.wish, remaining) = (client, wish, wish.take)
    }
  }

  /// A subscriber's private run of a cold signal.
  final class Run {
    var body: StormBody?
    var sequence: Int

    init(after sequence: Int) { self.sequence = sequence }
  }

  /// A signal by its name.
  private final class Signal {
    var declaration: StormSignal
    var sequence = 0
    var hasEnded = false
    var body: StormBody?
    var retained: [(sequence: Int, value: Int)] = []

    init(_ declaration: StormSignal) { self.declaration = declaration }
  }

  private var names: [String] = []
  private var signals: [String: Signal] = [:]
  private var retired: [String: Int] = [:]
  private var subscriptions: [Subscription] = []
  private var isReplacing = false
  /// True if the graph has anything visible to clients.
  private var isVisible = true
  /// The expected events of each client, by label and signal.
  private(set) var told: [Int: [String: [String]]] = [:]

  init(_ graph: StormGraph) { reload(graph) }

  func takeTold(by client: Int) -> [String: [String]] { told.removeValue(forKey: client) ?? [:] }

  // MARK: Clients

  func subscribe(_ client: Int, _ wish: StormWish) {
    if subscriptions.contains(where: { $0.client == client && $0.wish.key == wish.key }) { return }
    let covered = names.filter { isCovered($0, wish) }
    if covered.isEmpty && !wish.pattern.contains("*") { return }
    let subscription = Subscription(client, wish)
    subscriptions.append(subscription)
    for name in covered where !subscription.isOver { begin(subscription, name) }
    settleListeners()
  }

  private func isCovered(_ name: String, _ wish: StormWish) -> Bool {
    guard let declaration = signals[name]?.declaration, !declaration.isPrivate, wish.covers(name) else { return false }
    return !declaration.trait.isCold || !wish.pattern.contains("*")
  }

  private func begin(_ subscription: Subscription, _ name: String) {
    guard let signal = signals[name] else { return }
    subscription.attachments[name] = .some(nil)
    let wanted = signal.retained.filter { subscription.wish.wants($0.value) }
    for entry in subscription.wish.isPaced ? wanted.suffix(1) : wanted[...] {
      deliver(entry.value, entry.sequence, name, to: subscription)
    }
    if subscription.isOver { return }
    if signal.declaration.trait.isCold { return startRun(for: subscription, name, after: 0) }
    if signal.hasEnded { return tellCompleted(subscription, name) }
    if signal.declaration.trait.isLazy && signal.body == nil { iteration(waking: [name]) }
  }

  func unsubscribe(_ client: Int, _ wish: StormWish) {
    for subscription in subscriptions where subscription.client == client && subscription.wish.key == wish.key {
      end(subscription)
    }
    settleListeners()
  }

  func disconnect(_ client: Int) {
    for subscription in subscriptions where subscription.client == client { end(subscription) }
    told[client] = nil
    settleListeners()
  }

  func send(_ values: [Int], to name: String) {
    guard let signal = signals[name], !signal.declaration.isPrivate else { return }
    for value in values where !signal.hasEnded { iteration([name: [.value(value)]]) }
  }

  func complete(_ name: String) {
    guard let signal = signals[name], !signal.declaration.isPrivate, !signal.hasEnded else { return }
    iteration([name: [.completed]])
  }

  // MARK: Turns

  private func iteration(_ given: [String: [StormEvent]] = [:], waking woken: [String] = []) {
    for name in woken { run(name) }
    var iteration = StormTurn(given: newcomersGet)
    for name in names {
      guard let signal = signals[name], !signal.hasEnded else { continue }
      let events = given[name] ?? signal.body?.make(from: iteration) ?? []
      iteration.made[name] = events
      for event in events { emit(event, from: name, signal) }
    }
    for subscription in subscriptions {
      for (name, run) in subscription.attachments {
        guard let run, let body = run.body else { continue }
        tell(body.make(from: iteration), of: run, name, to: subscription)
      }
    }
    settleListeners()
  }

  /// Returns the events for a signal that chooses another in a turn with `present`.
  private func newcomersGet(from name: String, _ present: [StormEvent]) -> [StormEvent] {
    guard let signal = signals[name] else { return [] }
    let values = present.filter { $0 != .completed }
    let earlier = signal.retained.filter { $0.sequence <= signal.sequence - values.count }
    return earlier.map { .value($0.value) } + values + (signal.hasEnded ? [.completed] : [])
  }

  private func emit(_ event: StormEvent, from name: String, _ signal: Signal) {
    guard case .value(let value) = event else {
      signal.hasEnded = true
      signal.body = nil
      for subscription in listeners(of: name) { tellCompleted(subscription, name) }
      return
    }
    signal.sequence += 1
    signal.retained = Array((signal.retained + [(signal.sequence, value)]).suffix(signal.declaration.retains))
    for subscription in listeners(of: name) { deliver(value, signal.sequence, name, to: subscription) }
  }

  private func listeners(of name: String) -> [Subscription] {
    subscriptions.filter { if case .some(.none) = $0.attachments[name] { true } else { false } }
  }

  private func tell(_ events: [StormEvent], of run: Run, _ name: String, to subscription: Subscription) {
    for event in events where !subscription.isOver {
      guard case .value(let value) = event else { return tellCompleted(subscription, name) }
      run.sequence += 1
      deliver(value, run.sequence, name, to: subscription)
    }
  }

  // MARK: Running signals

  /// Starts a signal and its sources.
  private func run(_ name: String) {
    guard let signal = signals[name], signal.body == nil, !signal.hasEnded, !signal.declaration.trait.isCold else {
      return
    }
    signal.body = body(of: signal.declaration)
  }

  private func body(of declaration: StormSignal) -> StormBody {
    let body = StormBody(declaration)
    body.inputs = declaration.heard.map { StormBody.Input($0) }
    for input in body.inputs { connect(input) }
    return body
  }

  private func connect(_ input: StormBody.Input) {
    guard let signal = signals[input.name] else { return }
    input.isOpen = true
    input.own = nil
    if signal.declaration.trait.isCold {
      input.own = body(of: signal.declaration)
    } else {
      input.pending = signal.retained.map { .value($0.value) } + (signal.hasEnded ? [.completed] : [])
      if signal.declaration.trait.isLazy { run(input.name) }
    }
  }

  private func startRun(for subscription: Subscription, _ name: String, after sequence: Int) {
    guard let signal = signals[name] else { return }
    let run = Run(after: sequence)
    subscription.attachments[name] = .some(run)
    run.body = body(of: signal.declaration)
    iteration()
  }

  /// Lazy signals without subscribers stop, during a reload only after the new subscribers have been added.
  private func settleListeners() {
    subscriptions.removeAll(where: \.isOver)
    if isReplacing { return }
    for name in names.reversed() {
      guard let signal = signals[name], signal.declaration.trait.isLazy, signal.body != nil else { continue }
      if listeners(of: name).isEmpty && !bodies.contains(where: { $0.listensTo.contains(name) }) { signal.body = nil }
    }
  }

  private var bodies: [StormBody] {
    signals.values.compactMap(\.body)
      + subscriptions.flatMap { $0.attachments.values.compactMap { $0?.body } }
  }

  // MARK: Reloads and restarts

  func reload(_ graph: StormGraph) {
    isVisible = !graph.signals.allSatisfy(\.isPrivate) || !graph.noisy.isEmpty || graph.hasAction
    var kept: Set<String> = []
    for declaration in graph.signals {
      guard let before = signals[declaration.name]?.declaration, declaration.isKept(from: before) else { continue }
      if declaration.upstream.allSatisfy(kept.contains) { kept.insert(declaration.name) }
    }
    for name in names where !graph.signals.contains(where: { $0.name == name }) { remove(name) }
    let before = signals.mapValues(\.declaration)
    names = graph.signals.map(\.name)
    for declaration in graph.signals { adopt(declaration, isKept: kept.contains(declaration.name)) }
    var halted: [(Subscription, String)] = []
    for name in names where !kept.contains(name) || before[name]?.isPrivate != signals[name]?.declaration.isPrivate {
      halted += handOver(name, wasCold: before[name]?.trait.isCold ?? false, isKept: kept.contains(name))
    }
    for name in names where !kept.contains(name) || before[name]?.isPrivate == true { extendPatterns(to: name) }
    var given: [String: [StormEvent]] = [:]
    for name in names where !kept.contains(name) {
      if case .property(let initial)? = signals[name]?.declaration.source { given[name] = [.value(initial)] }
    }
    isReplacing = true
    iteration(given, waking: names.filter(isToRun))
    for (subscription, name) in halted { beginRun(of: subscription, name) }
    isReplacing = false
    settleListeners()
  }

  private func isToRun(_ name: String) -> Bool {
    signals[name].map { !$0.declaration.trait.isLazy || !listeners(of: name).isEmpty } ?? false
  }

  private func remove(_ name: String) {
    retired[name] = signals[name]?.sequence
    for subscription in subscriptions where subscription.attachments[name] != nil {
      interrupt(subscription, name, "removed")
    }
    signals[name] = nil
  }

  private func adopt(_ declaration: StormSignal, isKept: Bool) {
    let signal = signals[declaration.name] ?? Signal(declaration)
    if signals[declaration.name] == nil { signal.sequence = retired.removeValue(forKey: declaration.name) ?? 0 }
    signals[declaration.name] = signal
    signal.declaration = declaration
    if isKept { return }
    signal.hasEnded = false
    signal.body = nil
    signal.retained = []
  }

  /// - Returns: Those whose runs start over.
  private func handOver(_ name: String, wasCold: Bool, isKept: Bool) -> [(Subscription, String)] {
    guard let signal = signals[name] else { return [] }
    let isCold = signal.declaration.trait.isCold
    let attached = subscriptions.filter { $0.attachments[name] != nil }
    if wasCold && !isCold {
      signal.sequence = attached.compactMap { $0.attachments[name]??.sequence }.reduce(signal.sequence, max)
    }
    var halted: [(Subscription, String)] = []
    for subscription in attached {
      if wasCold != isCold && !signal.declaration.isPrivate { tellWaiting(subscription, name) }
      if !isKept { (subscription.attachments[name] ?? nil)?.body = nil }
      if signal.declaration.isPrivate {
        interrupt(subscription, name, "denied")
      } else if isCold && subscription.wish.pattern.contains("*") {
        interrupt(subscription, name, "removed")
      } else if isCold {
        if !wasCold { subscription.attachments[name] = .some(Run(after: signal.sequence)) }
        if !isKept { halted.append((subscription, name)) }
      } else {
        subscription.attachments[name] = .some(nil)
      }
    }
    return halted
  }

  private func beginRun(of subscription: Subscription, _ name: String) {
    guard !subscription.isOver, let run = subscription.attachments[name] ?? nil else { return }
    run.body = signals[name].map { body(of: $0.declaration) }
    iteration()
  }

  private func extendPatterns(to name: String) {
    guard let signal = signals[name], !signal.hasEnded else { return }
    for subscription in subscriptions where subscription.wish.pattern.contains("*") {
      guard subscription.attachments[name] == nil, isCovered(name, subscription.wish) else { continue }
      subscription.attachments[name] = .some(nil)
      tell(subscription, name, "subscribed", #","seq":\#(signal.sequence)"#)
    }
  }

  func restart(_ name: String?) {
    let asked = name.map { ended($0) + endedPrivateSources(of: ended($0)) } ?? (isVisible ? names.flatMap(ended) : [])
    if asked.isEmpty || name.map({ signals[$0]?.declaration.isPrivate ?? true }) ?? false { return }
    var renewed = Set(asked)
    var reached = renewed
    for name in names {
      guard let signal = signals[name], signal.declaration.upstream.contains(where: reached.contains) else { continue }
      reached.insert(name)
      if signal.hasEnded { renewed.insert(name) }
    }
    for name in renewed { if let signal = signals[name] { adopt(signal.declaration, isKept: false) } }
    let fresh = names.filter(renewed.contains)
    for name in fresh { extendPatterns(to: name) }
    var heard = renewed
    for name in names {
      guard let signal = signals[name], signal.declaration.trait.isCold else { continue }
      if signal.declaration.upstream.contains(where: heard.contains) { heard.insert(name) }
    }
    let going = bodies
    for name in fresh where isToRun(name) { run(name) }
    for body in going { resubscribe(body, heard) }
    iteration()
  }

  private func ended(_ name: String) -> [String] { signals[name]?.hasEnded ?? false ? [name] : [] }

  /// Returns the ended private sources of signals.
  private func endedPrivateSources(of names: [String]) -> [String] {
    let sources = names.flatMap { signals[$0]?.declaration.upstream ?? [] }
    let hidden = Set(sources).filter { signals[$0]?.declaration.isPrivate ?? false }.sorted()
    return hidden.isEmpty ? [] : hidden.flatMap(ended) + endedPrivateSources(of: hidden)
  }

  private func resubscribe(_ body: StormBody, _ heard: Set<String>) {
    if body.hasEnded { return }
    for input in body.inputs {
      if !input.isOpen && heard.contains(input.name) {
        connect(input)
      } else if let own = input.own {
        resubscribe(own, heard)
      }
    }
  }

  // MARK: Deliveries

  private func deliver(_ value: Int, _ sequence: Int, _ name: String, to subscription: Subscription) {
    if subscription.isOver || !subscription.wish.wants(value) { return }
    if subscription.wish.isPaced {
      let isFirst = subscription.waiting[name] == nil
      subscription.waiting[name] = isFirst ? .some(nil) : (value, sequence)
      if !isFirst { return }
    }
    pass(value, sequence, name, to: subscription)
  }

  /// Delivers the waiting value; the next passes at once.
  private func tellWaiting(_ subscription: Subscription, _ name: String) {
    guard let waiting = subscription.waiting.removeValue(forKey: name), let waiting else { return }
    pass(waiting.value, waiting.sequence, name, to: subscription)
  }

  private func pass(_ value: Int, _ sequence: Int, _ name: String, to subscription: Subscription) {
    if subscription.isOver { return }
    tell(subscription, name, "next", #","seq":\#(sequence),"value":\#(value)"#)
    guard let remaining = subscription.remaining else { return }
    subscription.remaining = remaining - 1
    guard remaining == 1 else { return }
    tell(subscription, name, "ended", #","reason":"take""#)
    end(subscription)
  }

  private func tellCompleted(_ subscription: Subscription, _ name: String) {
    tellWaiting(subscription, name)
    tell(subscription, name, "completed", "")
    detach(subscription, name)
  }

  private func interrupt(_ subscription: Subscription, _ name: String, _ reason: String) {
    if reason != "denied" { tellWaiting(subscription, name) }
    tell(subscription, name, "interrupted", #","reason":"\#(reason)""#)
    detach(subscription, name)
  }

  private func detach(_ subscription: Subscription, _ name: String) {
    subscription.attachments[name] = nil
    subscription.waiting[name] = nil
    if !subscription.wish.pattern.contains("*") { end(subscription) }
  }

  private func end(_ subscription: Subscription) {
    subscription.isOver = true
    subscription.attachments = [:]
  }

  private func tell(_ subscription: Subscription, _ name: String, _ event: String, _ rest: String) {
    if subscription.isOver { return }
    let label = subscription.wish.label.map { #","subscription":"\#($0)""# } ?? ""
    let line = #"{"event":"\#(event)"\#(label),"signal":"g.\#(name)"\#(rest)}"#
    told[subscription.client, default: [:]]["\(label)g.\(name)", default: []].append(line)
  }
}
