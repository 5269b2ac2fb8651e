/// The documentation's rules for a storm: the expected events of each client.
final class StormModel {
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
  private var subscriptions: [StormSubscription] = []
  private var isReplacing = false
  /// True if the graph has anything visible to clients.
  private var isVisible = true
  private let deliveries = StormDeliveries()

  init(_ graph: StormGraph) { reload(graph) }

  func takeTold(by client: Int) -> [String: [String]] { deliveries.take(by: client) }

  // MARK: Clients

  func subscribe(_ client: Int, _ wish: StormWish) {
    if subscriptions.contains(where: { $0.client == client && $0.wish.key == wish.key }) { return }
    let covered = names.filter { isCovered($0, wish) }
    if covered.isEmpty && !wish.pattern.contains("*") { return }
    let subscription = StormSubscription(client, wish)
    subscriptions.append(subscription)
    for name in covered where !subscription.isOver { begin(subscription, name) }
    settleListeners()
  }

  private func isCovered(_ name: String, _ wish: StormWish) -> Bool {
    guard let declaration = signals[name]?.declaration, !declaration.isPrivate, wish.covers(name) else { return false }
    return !declaration.trait.isCold || !wish.pattern.contains("*")
  }

  private func begin(_ subscription: StormSubscription, _ name: String) {
    guard let signal = signals[name] else { return }
    subscription.attachments[name] = .some(nil)
    let wanted = signal.retained.filter { subscription.wish.wants($0.value) }
    for entry in subscription.wish.isPaced ? wanted.suffix(1) : wanted[...] {
      deliveries.deliver(entry.value, entry.sequence, name, to: subscription)
    }
    if subscription.isOver { return }
    if signal.declaration.trait.isCold { return startRun(for: subscription, name, after: 0) }
    if signal.hasEnded { return deliveries.tellCompleted(subscription, name) }
    if signal.declaration.trait.isLazy && signal.body == nil { iteration(waking: [name]) }
  }

  func unsubscribe(_ client: Int, _ wish: StormWish) {
    for subscription in subscriptions where subscription.client == client && subscription.wish.key == wish.key {
      deliveries.end(subscription)
    }
    settleListeners()
  }

  func disconnect(_ client: Int) {
    for subscription in subscriptions where subscription.client == client { deliveries.end(subscription) }
    _ = deliveries.take(by: client)
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
      for subscription in listeners(of: name) { deliveries.tellCompleted(subscription, name) }
      return
    }
    signal.sequence += 1
    signal.retained = Array((signal.retained + [(signal.sequence, value)]).suffix(signal.declaration.retains))
    for subscription in listeners(of: name) { deliveries.deliver(value, signal.sequence, name, to: subscription) }
  }

  private func listeners(of name: String) -> [StormSubscription] {
    subscriptions.filter { if case .some(.none) = $0.attachments[name] { true } else { false } }
  }

  private func tell(_ events: [StormEvent], of run: StormRun, _ name: String, to subscription: StormSubscription) {
    for event in events where !subscription.isOver {
      guard case .value(let value) = event else { return deliveries.tellCompleted(subscription, name) }
      run.sequence += 1
      deliveries.deliver(value, run.sequence, name, to: subscription)
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

  private func startRun(for subscription: StormSubscription, _ name: String, after sequence: Int) {
    guard let signal = signals[name] else { return }
    let run = StormRun(after: sequence)
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
    var halted: [(StormSubscription, String)] = []
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
      deliveries.interrupt(subscription, name, "removed")
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
  private func handOver(_ name: String, wasCold: Bool, isKept: Bool) -> [(StormSubscription, String)] {
    guard let signal = signals[name] else { return [] }
    let isCold = signal.declaration.trait.isCold
    let attached = subscriptions.filter { $0.attachments[name] != nil }
    if wasCold && !isCold {
      signal.sequence = attached.compactMap { $0.attachments[name]??.sequence }.reduce(signal.sequence, max)
    }
    var halted: [(StormSubscription, String)] = []
    for subscription in attached {
      if wasCold != isCold && !signal.declaration.isPrivate { deliveries.tellWaiting(subscription, name) }
      if !isKept { (subscription.attachments[name] ?? nil)?.body = nil }
      if signal.declaration.isPrivate {
        deliveries.interrupt(subscription, name, "denied")
      } else if isCold && subscription.wish.pattern.contains("*") {
        deliveries.interrupt(subscription, name, "removed")
      } else if isCold {
        if !wasCold { subscription.attachments[name] = .some(StormRun(after: signal.sequence)) }
        if !isKept { halted.append((subscription, name)) }
      } else {
        subscription.attachments[name] = .some(nil)
      }
    }
    return halted
  }

  private func beginRun(of subscription: StormSubscription, _ name: String) {
    guard !subscription.isOver, let run = subscription.attachments[name] ?? nil else { return }
    run.body = signals[name].map { body(of: $0.declaration) }
    iteration()
  }

  private func extendPatterns(to name: String) {
    guard let signal = signals[name], !signal.hasEnded else { return }
    for subscription in subscriptions where subscription.wish.pattern.contains("*") {
      guard subscription.attachments[name] == nil, isCovered(name, subscription.wish) else { continue }
      subscription.attachments[name] = .some(nil)
      deliveries.tell(subscription, name, "subscribed", #","seq":\#(signal.sequence)"#)
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
}
