import GraphModel
import TestSupport

/// A random graph of all operators and sources, and the steps of its story.
///
/// Durations are multiples of half a second, so that many timers are due at the same time.
package struct RandomDeclarations {
  /// The kinds of declared graphs.
  package enum Kind {
    case plain
    /// Without actions, and with kills between the steps.
    case durable
    /// A durable graph beside one that is not; each subscribes and sends to the other.
    case mixed
  }

  package private(set) var story: OracleStory
  private let kind: Kind
  private var random: SplitMix
  /// For calendar times in place of others, which leaves the rest of a graph unchanged.
  private var calendar: SplitMix
  /// For calls of the action in plain graphs, which leaves the rest of a graph unchanged.
  private var calls: SplitMix
  /// For windows that emit expiries in place of others, which leaves the rest of a graph unchanged.
  private var windows: SplitMix
  /// For windows with a limit.
  private var bounds: SplitMix
  /// For lists by the times that values carry, which leaves the rest of a graph unchanged.
  private var timestamps: SplitMix
  private var hasCalls = false
  private var inputs: [String] = []
  /// The names that can be referred to so far.
  private var known: [String] = []
  private var cold: [String] = []
  private var lazy: [String] = []

  package init(seed: Int, _ kind: Kind = .plain) {
    let isDurable = kind != .plain
    self.kind = kind
    random = SplitMix(seed: UInt64(seed))
    calendar = SplitMix(seed: ~UInt64(seed))
    calls = SplitMix(seed: ~UInt64(seed) ^ 0xca11)
    windows = SplitMix(seed: ~UInt64(seed) ^ 0x31d0)
    bounds = SplitMix(seed: ~UInt64(seed) ^ 0xb0d5)
    timestamps = SplitMix(seed: ~UInt64(seed) ^ 0x7153)
    story = OracleStory(limits: "{turn: 300, chain: 20}", signals: [], steps: [])
    story.isDurable = isDurable
    if chance(4) { story.limits = "{turn: 40, chain: 5}" }
    for index in 0..<(kind == .mixed ? 5 : 3) { addInput("i\(index)") }
    let count = Int.random(in: 3...9, using: &random)
    for index in 0..<count {
      if index == 2, kind != .durable, chance(3) { addAction() }
      addSignal("s\(index)")
    }
    for _ in 0..<30 {
      story.steps.append(step())
      if isDurable { addInterruption() }
    }
  }

  // MARK: Random choices

  private mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

  private mutating func one(of all: [String]) -> String { all.randomElement(using: &random) ?? "" }

  private mutating func duration(_ least: Int = 1) -> String {
    "\(Int.random(in: least...6, using: &random) * 500)ms"
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  // MARK: Signals

  private mutating func addInput(_ name: String) {
    let source =
      chance(3) ? "property: {initial: \(number(0...3)), endable: true}" : "input: {endable: true}"
    story.signals.append("\(name): {\(source)\(chance(3) ? ", replay: \(replay())" : "")}")
    inputs.append(place(name))
  }

  /// Adds a signal to a graph and to the known names.
  ///
  /// - Returns: Its full name.
  private mutating func place(_ name: String) -> String {
    guard kind == .mixed else {
      known.append(name)
      return "g.\(name)"
    }
    if chance(2) { story.plainNames.insert(name) }
    known.append(story.fullName(name))
    return story.fullName(name)
  }

  private mutating func replay() -> String {
    chance(2) ? "\(number(1...3))" : "{count: 3, for: \(duration())}"
  }

  private mutating func addAction() {
    story.actions =
      "fan: {exec: [fan], format: json"
      + (chance(2) ? ", enabled_if: \(name())" : "") + (chance(2) ? ", timeout: 2s" : "") + "}"
    known += ["values", "errors", "executing", "enabled"].map { kind == .mixed ? "g.fan.\($0)" : "fan.\($0)" }
  }

  private mutating func addSignal(_ name: String) {
    let run = number(0...7)
    var traits = ""
    switch run == 1 ? 9 : number(0...9) {
    case 0, 1: traits += ", hold: true"
    case 2: traits += ", hold: {initial: 7}"
    case 3, 4: traits += ", replay: \(replay())"
    default: break
    }
    if chance(3) { traits += ", on_error: \(one(of: ["drop", "emit", "fail"]))" }
    if chance(8) { traits += ", private: true" }
    if run == 0 { traits += ", lazy: true" }
    if run == 1 { traits += ", cold: true" }
    story.signals.append("\(name): {\(declaration(depth: 0))\(traits)}")
    let fullName = place(name)
    if run == 0 { lazy.append(fullName) }
    if run == 1 { cold.append(fullName) }
  }

  private mutating func name() -> String { one(of: known) }

  /// Returns a source with its pipe, possibly restarting.
  private mutating func declaration(depth: Int, seeing variables: [String] = []) -> String {
    if chance(5) {
      let again = one(of: [
        "repeat: {times: 3}", "repeat: {times: 3, delay: \(duration())}", "repeat: {delay: 1s}", "retry: {times: 2}",
        "retry: {times: 3, delay: 500ms, backoff: 2, max_delay: 2s}", "retry: {delay: 1s, reset_after: 2s}",
        "retry: {times: 2, delay: 1s, reset_on_value: true}",
        "retry: {when: \(signal(depth + 1))}", "delay_start: \(duration())",
      ])
      let before = pipe(depth: depth, seeing: variables, longest: 2)
      let after = pipe(depth: depth, seeing: variables, longest: 2)
      return "\(own(depth, variables)), pipe: [\((before + ["{\(again)}"] + after).joined(separator: ", "))]"
    }
    let steps = pipe(depth: depth, seeing: variables, longest: depth > 0 ? 2 : 4)
    return "\(source(depth, variables))\(steps.isEmpty ? "" : ", pipe: [\(steps.joined(separator: ", "))]")"
  }

  /// Returns a signal by name, or an inline one.
  private mutating func signal(_ depth: Int, seeing variables: [String] = []) -> String {
    depth > 2 || chance(2) ? name() : "{\(declaration(depth: depth, seeing: variables))}"
  }

  private mutating func signals(_ depth: Int, _ variables: [String]) -> String {
    "[\((0..<number(1...3)).map { _ in signal(depth + 1, seeing: variables) }.joined(separator: ", "))]"
  }

  /// Returns a private source.
  private mutating func own(_ depth: Int, _ variables: [String]) -> String {
    if kind == .mixed, chance(6) { return "exec: [say], format: json" }
    switch number(0...10) {
    case 0: return "values: [1, 2, 3]"
    case 1: return byCalendar("interval: \(duration())")
    case 2: return "timer: {after: \(duration(0)), every: \(duration())}"
    case 3: return byCalendar("timer: \(duration(0))")
    case 4: return "fail: {code: broken, message: it broke}"
    case 5: return "range: {start: 1, count: 3}"
    case 6, 7:
      let diagram = one(of: ["1-2|", "-1-2#", "12--3--4", "(12)-|", "1!", "-x-y-|", "#", "|"])
      return "marble: {diagram: '\(diagram)', tick: \(one(of: ["500ms", "1s"]))}"
    case 8: return one(of: ["empty: true", "never: true", "value: 5"])
    default: return "merge: [{timer: \(duration()), pipe: [{check: . > 0}]}, {interval: 1s, pipe: [{take: 2}]}]"
    }
  }

  private mutating func source(_ depth: Int, _ variables: [String]) -> String {
    switch number(0...19) {
    case 0: return "merge: \(signals(depth, variables))"
    case 1: return "combine: \(signals(depth, variables)), emit: \(one(of: ["turn", "event"]))"
    case 2:
      let bound = chance(2) ? ", limit: 2, overflow: \(one(of: ["fail", "drop_oldest", "drop_newest"]))" : ""
      return "zip: \(signals(depth, variables))\(bound)"
    case 3:
      let bound = chance(2) ? ", limit: 2, overflow: \(one(of: ["fail", "drop_oldest", "drop_newest"]))" : ""
      return "concat: \(signals(depth, variables))\(bound)"
    case 4: return "race: \(signals(depth, variables))"
    case 5: return "combine_last: {a: \(signal(depth + 1, seeing: variables)), b: \(signal(depth + 1))}"
    case 6: return "tuple: {a: \(signal(depth + 1, seeing: variables)), b: \(signal(depth + 1))}"
    case 7, 8:
      let rest =
        chance(2) ? "default: \(signal(depth + 1, seeing: variables))" : "unmatched: \(one(of: ["ignore", "fail"]))"
      return
        "switch: {on: \(signal(depth + 1)), cases: {'1': \(signal(depth + 1, seeing: variables)), '2': \(signal(depth + 1))}, \(rest)}"
    case 9:
      let condition = "{from: \(name()), pipe: [{map: '. != 2'}]}"
      return "if: {condition: \(condition), then: \(signal(depth + 1, seeing: variables)), else: \(signal(depth + 1))}"
    case 10, 11, 12: return own(depth, variables)
    default: return "from: \(name())"
    }
  }

  // MARK: Operators

  private mutating func pipe(depth: Int, seeing variables: [String], longest: Int) -> [String] {
    var steps: [String] = []
    for _ in 0..<number(0...longest) { steps.append("{\(step(depth, variables))}") }
    return steps
  }

  private mutating func step(_ depth: Int, _ variables: [String]) -> String {
    let chosen = stepWithoutCalls(depth, variables)
    guard kind == .plain, story.actions != nil, Int.random(in: 0..<4, using: &calls) == 0 else { return chosen }
    hasCalls = true
    let strategies = [
      "limit: 1, overflow: drop_oldest", "limit: 1", "strategy: latest", "strategy: first",
      "strategy: merge, concurrent: 2", "strategy: merge, concurrent: 2, limit: 1, overflow: drop_newest",
    ]
    let others = ["", "", ", with: '[., now]'", ", retry: {times: 1, delay: 500ms}", ", retry: {times: 2, delay: 0s}"]
    return "call: {action: g.fan, \(strategies.randomElement(using: &calls) ?? "")"
      + "\(others.randomElement(using: &calls) ?? "")}"
  }

  private mutating func stepWithoutCalls(_ depth: Int, _ variables: [String]) -> String {
    switch number(0...5) {
    case 0: return each(variables)
    case 1: return counting()
    case 2, 3: return timed(depth)
    case 4: return joining(depth, variables)
    default: return depth > 1 ? each(variables) : starting(depth)
    }
  }

  private mutating func each(_ variables: [String]) -> String {
    let seen = one(of: variables + ["1"])
    return one(of: [
      "map: '[., \(seen)]'", "map: '. + 1'", "map: '., .'", "map: \(seen)", "map_to: {a: 1.50}",
      "filter_map: 'if . == 2 then null else . end'",
      "lazy_map: '. * 2'", "map_error: '{code: \"other\", message: .message}'", "check: '. != 3'", "cast: number",
      "cast: string",
      "expand: {next: 'select(. < 3) | . + 1', limit: 2}", "start_with: [1, 2]", "end_with: [8]", "timestamp: ",
      "materialize: ",
      "dematerialize: ", "not: ", "filter: '. != 0'", "ignore_values: ", "log: seen", "merge: \(name())", "map: '.a'",
      "send_to: \(one(of: kind == .mixed ? inputs : ["i0", "i1", "i2"]))", "map: 'tostring'", "map: '{b: ., c: 2}'",
    ])
  }

  private mutating func counting() -> String {
    one(of: [
      "scan: {initial: 0, next: '$state + 1'}", "scan: {initial: [], next: '[$state[-2:][], .]'}",
      "scan_map: {initial: 0, next: '[$state + 1, [$state, .]]'}", "reduce: {initial: 0, next: '$state + 1'}",
      "count: ", "min: ",
      "max: ", "sum: ", "average: ", "pairwise: ", "pairwise: {initial: 0}", "enumerate: ", "time_interval: ",
      "skip_repeats: ",
      "skip_repeats: {by: 'tostring'}", "unique: {max_keys: 2}", "unique: {idle: 2s, by: 'tostring'}",
      "unique: {max_keys: 2, overflow: \(one(of: ["fail", "drop_newest"]))}", "take: \(number(0...4))", "take_last: 2",
      "take_while: {where: '. != 3', inclusive: true}", "take_while: '. != 2'", "take_until: {where: '. == 3'}",
      "skip: 2", "skip_last: 1",
      "skip_while: '. != 2'", "skip_until: {where: '. == 1'}", "first: ", "first: '. == 2'", "last: ", "single: ",
      "element_at: 1",
      "any: ", "any: '. == 2'", "all: '. != 3'", "is_empty: ", "default_if_empty: 4", "fail_if_empty: ", "collect: ",
      "buffer: {count: 2}", "buffer: {count: 3, every: 2}", "buffer: {count: 2, every: 3}",
      "buffer: {until: 'length > 1'}",
      "buffer: {while: 'length < 3', limit: 2, overflow: drop_oldest}", "window: {count: 2}",
      "window: {count: 2, partial: false}",
    ])
  }

  /// Returns the source itself, or a calendar source in its place.
  private mutating func byCalendar(_ source: String) -> String {
    guard Bool.random(using: &calendar) else { return source }
    let times = [
      "'*:*:0/2'", "['*:*:1.5/3', '*:*:0/4']", "'1970-01-01 00:00:03'", "['*:*:10 UTC', '*:*:10.5/0.25']",
    ]
    let missed = ["", ", missed: run", ", missed: skip"]
    return "at: \(times.randomElement(using: &calendar) ?? ""), timezone: UTC"
      + (missed.randomElement(using: &calendar) ?? "")
  }

  private mutating func timed(_ depth: Int) -> String {
    let chosen = timedWithin(depth)
    guard chosen.hasPrefix("window"), Int.random(in: 0..<3, using: &bounds) == 0 else { return chosen }
    let overflow = ["fail", "drop_oldest", "drop_newest"].randomElement(using: &bounds) ?? "fail"
    return chosen.dropLast() + ", limit: 2, overflow: \(overflow)}"
  }

  private mutating func timedWithin(_ depth: Int) -> String {
    let chosen = timedByEither(depth)
    guard chosen.hasPrefix("window"), Bool.random(using: &windows) else { return byTimestamps(chosen) }
    return chosen.dropLast() + ", emit: both}"
  }

  /// Returns an operator with lists by the times that values carry, or the operator itself.
  private mutating func byTimestamps(_ chosen: String) -> String {
    guard chosen.hasPrefix("window") || chosen.hasPrefix("buffer"), !chosen.contains("count"),
      Int.random(in: 0..<3, using: &timestamps) == 0
    else { return chosen }
    // The lateness of a window has to be shorter than its time.
    let lateness =
      chosen.hasPrefix("window: {time") ? "0s" : ["0s", "1s", "2500ms"].randomElement(using: &timestamps) ?? ""
    return chosen.dropLast() + ", timestamp: 'if type == \"boolean\" then 7 else length end', lateness: \(lateness)}"
  }

  private mutating func timedByEither(_ depth: Int) -> String {
    let chosen = timedByTheClock(depth)
    guard chosen.hasPrefix("buffer") || chosen.hasPrefix("window"), Bool.random(using: &calendar) else { return chosen }
    let lists = [
      "buffer: {every: '*:*:0/2', timezone: UTC}", "buffer: {every: '*:*:1/3', count: 2}",
      "window: {every: '*:*:0/3', timezone: UTC}",
    ]
    return lists.randomElement(using: &calendar) ?? chosen
  }

  private mutating func timedByTheClock(_ depth: Int) -> String {
    let policy = one(of: ["flush", "discard"])
    return one(of: [
      "debounce: {interval: \(duration()), on_completion: \(policy)}", "throttle: \(duration())",
      "throttle: {interval: \(duration()), leading: false, on_completion: \(policy)}",
      "throttle: {interval: \(duration()), trailing: false}", "audit: \(duration())", "sample: {every: \(duration())}",
      "sample: {every: \(duration()), repeat: false}", "delay: \(duration())", "timeout: {total: \(duration(3))}",
      "timeout: {first: \(duration()), fallback: \(signal(depth + 1))}",
      "timeout: {gap: \(duration()), fallback: \(signal(depth + 1))}",
      "timeout: {gap: \(duration(3))}", "buffer: {time: \(duration())}", "buffer: {time: \(duration()), count: 2}",
      "window: {time: \(duration())}", "take_for: \(duration(2))", "skip_for: \(duration())",
    ])
  }

  private mutating func joining(_ depth: Int, _ variables: [String]) -> String {
    let other = signal(depth + 1, seeing: variables)
    let started = signal(depth + 1, seeing: variables + ["$value"])
    return one(of: [
      "take_until: {signal: \(other)}", "take_until_replacement: \(other)", "skip_until: {signal: \(other)}",
      "sequence_equal: \(other)", "switch_if_empty: \(other)",
      "throttle: {while: {from: \(name()), pipe: [{map: '. == 1'}]}}",
      "sample: {on: \(other), with_value: true}", "sample: {on: \(other), repeat: false}", "delay_when: \(started)",
      "delay_when: {timer: \(duration())}", "buffer: {on: \(other)}",
      "buffer: {on: \(other), limit: 2, overflow: drop_newest}",
      "merge: \(other)", "concat: \(other)", "then: \(other)", "race: \(other)", "with_latest: \(other)",
      "catch: \(other)",
      "on_error_resume_next: \(other)",
    ])
  }

  private mutating func starting(_ depth: Int) -> String {
    if chance(3) {
      let bound = one(of: [
        "idle: \(duration())", "max_keys: 1", "max_keys: 2, overflow: drop_newest", "max_keys: 2, overflow: fail",
        "max_keys: 3, idle: \(duration())",
      ])
      let steps = pipe(depth: depth + 1, seeing: ["$key"], longest: 3)
      return
        "group_by: {key: '\(one(of: [".", "tostring", ". % 2"]))', \(bound), pipe: [\(steps.joined(separator: ", "))]}"
    }
    let started = "{\(declaration(depth: depth + 1, seeing: ["$value"]))}"
    let bound = ", limit: 1, overflow: \(one(of: ["fail", "drop_oldest", "drop_newest"]))"
    return "flat_map: {"
      + one(of: [
        "latest: \(started)", "merge: \(started)", "merge: \(started), concurrent: 2\(bound)", "concat: \(started)",
        "concat: \(started)\(bound)", "first: \(started)", "race: \(started)", "merge: \(name())", "concat: \(name())",
      ]) + "}"
  }

  // MARK: Steps

  private mutating func step() -> OracleStory.Step {
    let chosen = stepWithoutPrograms()
    guard hasCalls, Int.random(in: 0..<3, using: &calls) == 0 else { return chosen }
    return Bool.random(using: &calls)
      ? .print("g.fan", "\(Int.random(in: 1...3, using: &calls))")
      : .exit("g.fan", Int32.random(in: 0...1, using: &calls))
  }

  private mutating func stepWithoutPrograms() -> OracleStory.Step {
    let input = one(of: inputs)
    let any = kind == .mixed ? name() : "g.\(name())"
    switch number(0...19) {
    case 0...8: return .send(input, value())
    case 9...13: return .advance(.milliseconds(500 * number(0...4)))
    case 14:
      let failure = SignalEnding.failed(SignalFailure(code: "sent", message: "a client says so"))
      return .end(input, [.completed, failure, .interrupted].randomElement(using: &random) ?? .completed)
    case 15: return .restart(chance(2) ? input : any)
    case 16: return lazy.isEmpty ? .attach(any) : .attach(one(of: lazy))
    case 17: return lazy.isEmpty ? .restart(any) : .detach(one(of: lazy))
    case 18:
      if cold.isEmpty || story.isDurable { return .send(input, value()) }
      return chance(3) ? .endRun(one(of: cold)) : .beginRun(one(of: cold))
    default:
      if kind == .mixed, chance(2) { return chance(3) ? .exit("", Int32(number(0...1))) : .print("", value()) }
      if story.actions == nil { return .restart(input) }
      switch number(0...3) {
      case 0, 1: return .call("g.fan", value())
      case 2: return .print("g.fan", value())
      default: return .exit("g.fan", Int32(number(0...1)))
      }
    }
  }

  private mutating func addInterruption() {
    switch number(0...11) {
    case 0...3: story.steps.append(.kill(OracleStory.Kill.allCases.randomElement(using: &random) ?? .told))
    case 4: story.steps.append(.commit)
    default: break
    }
  }

  private mutating func value() -> String {
    one(of: ["1", "2", "3", "1", "2", "0", "1.50", "true", "\"x\"", #"{ "a": 1.0, "b" :2}"#, "[1, 2]", "null"])
  }
}
