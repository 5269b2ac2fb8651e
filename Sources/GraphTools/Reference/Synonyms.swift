/// The names of operators, sources and signal traits in other systems, for readers who know those.
///
/// The words are those of ReactiveCocoa, ReactiveSwift, RxJS, RxSwift, stream processors, brokers and shells.
package enum Synonyms {
  /// Returns the names in this project that the words may refer to, the most likely first.
  ///
  /// Ignores case, `-`, `_` and spaces.
  package static func names(for words: String) -> [String] {
    let key = folded(words)
    return entries.filter { $0.words.contains { folded($0) == key } }.map(\.name)
  }

  /// Returns a word without case, hyphens, underscores and spaces.
  private static func folded(_ text: String) -> String {
    text.lowercased().filter { $0 != "-" && $0 != "_" && !$0.isWhitespace }
  }

  /// The foreign names by name in this project, in the order of the catalogue; traits of signals are last.
  package static let entries: [(name: String, words: [String])] = [
    ("map", ["select", "pluck", "transform", "project", "jq", "convert", "reduceEach", "calculate"]),
    ("map_to", ["mapReplace", "constant"]),
    ("filter_map", ["compactMap", "skipNil", "map and filter", "filterMap"]),
    ("lazy_map", ["map latest"]),
    ("map_error", ["mapError"]),
    ("check", ["try", "attempt", "assert", "validate", "guard"]),
    ("cast", ["decode", "parse", "to number", "toNumber", "as type"]),
    ("scan", ["fold", "accumulate", "running total", "state", "state machine", "hysteresis", "counter", "integrate"]),
    ("scan_map", ["mealy", "state machine", "hysteresis", "stateful map"]),
    ("reduce", ["fold", "aggregate", "inject"]),
    ("expand", ["recursive", "recurse"]),
    ("count", ["length", "number of values"]),
    ("min", ["minimum", "smallest"]),
    ("max", ["maximum", "largest", "peak"]),
    ("sum", ["total", "add"]),
    ("average", ["mean", "avg"]),
    ("pairwise", ["combinePrevious", "previous", "delta", "difference", "derivative", "change"]),
    ("enumerate", ["index", "number", "zip with index"]),
    ("start_with", ["prefix", "startWith", "prepend", "initial"]),
    ("end_with", ["append", "endWith"]),
    ("timestamp", ["time", "date"]),
    ("time_interval", ["elapsed", "age"]),
    ("filter", ["where", "ignore", "find", "partition"]),
    ("ignore_values", ["ignoreElements", "ignoreValues"]),
    (
      "skip_repeats",
      ["distinct", "distinctUntilChanged", "dedupe", "deduplicate", "changes only", "on change", "uniq", "skipRepeats"]
    ),
    ("unique", ["distinct", "uniqueValues", "dedupe", "deduplicate", "distinct values"]),
    ("take", ["limit", "head"]),
    ("take_for", ["take during", "for duration"]),
    ("take_last", ["last n"]),
    ("take_while", ["takeWhile"]),
    ("take_until", ["takeUntil", "stop when"]),
    ("skip", ["drop", "offset"]),
    ("skip_for", ["drop for", "warm up", "grace period"]),
    ("skip_while", ["drop while", "dropWhile"]),
    ("skip_until", ["start when"]),
    ("element_at", ["nth", "elementAt"]),
    ("any", ["some", "contains"]),
    ("all", ["every"]),
    ("default_if_empty", ["defaultIfEmpty", "fallback"]),
    ("switch_if_empty", ["fallback"]),
    ("fail_if_empty", ["throwIfEmpty"]),
    (
      "debounce",
      ["settle", "quiet", "for", "stable for", "debounceTime", "hysteresis", "wait until quiet", "pending period"]
    ),
    ("throttle", ["rate limit", "ratelimit", "limit rate", "throttleTime", "at most once", "cooldown"]),
    ("audit", ["auditTime", "rate limit"]),
    ("sample", ["snapshot", "poll", "sampleTime", "every", "downsample"]),
    ("delay", ["wait", "sleep", "shift"]),
    ("delay_when", ["delayWhen"]),
    ("delay_start", ["delaySubscription", "subscribe later"]),
    ("timeout", ["deadline", "watchdog", "dead man", "deadman", "heartbeat", "stale", "no data"]),
    ("buffer", ["batch", "chunk", "collect every", "tumbling window", "bufferCount", "bufferTime"]),
    ("collect", ["toArray", "to list"]),
    (
      "window",
      [
        "moving average", "rolling", "rolling average", "sliding window", "sliding", "smooth", "last n",
        "event time", "watermark", "late values", "out of order",
      ]
    ),
    ("merge", ["union", "join", "fan in"]),
    ("concat", ["append", "followed by", "sequence"]),
    ("then", ["andThen"]),
    ("race", ["amb", "first of"]),
    ("with_latest", ["withLatestFrom", "latest of", "enrich", "lookup"]),
    (
      "flat_map",
      ["mergeMap", "switchMap", "concatMap", "exhaustMap", "flatten", "bind", "switchToLatest", "flatMapLatest"]
    ),
    ("group_by", ["partition", "groupBy", "per key", "key by", "keyed", "shard"]),
    ("catch", ["catchError", "rescue", "flatMapError", "recover"]),
    ("on_error_resume_next", ["onErrorResumeNext"]),
    ("retry", ["backoff", "try again", "reconnect"]),
    ("repeat", ["loop", "times"]),
    ("send_to", ["bind", "forward", "feedback", "pipe to"]),
    ("call", ["webhook", "notify", "run program", "do", "effect", "side effect", "tap", "action", "command"]),
    ("log", ["print", "debug", "tap", "trace"]),
    ("input", ["subject", "pipe", "topic", "channel", "PublishSubject"]),
    ("property", ["BehaviorSubject", "MutableProperty", "variable", "setting", "parameter", "helper"]),
    ("values", ["of", "list", "just", "return"]),
    ("value", ["just", "return", "constant"]),
    ("fail", ["throw", "throwError", "error"]),
    ("interval", ["tick", "every", "periodic", "clock"]),
    ("timer", ["once", "after"]),
    ("at", ["cron", "calendar", "schedule", "crontab", "OnCalendar", "time of day", "daily"]),
    ("zip", ["pair"]),
    ("combine", ["combineLatest", "join", "combineLatestWith"]),
    ("combine_last", ["forkJoin", "wait for all"]),
    ("switch", ["case", "match", "select", "route", "choose"]),
    ("if", ["iif", "conditional", "choose"]),
    ("exec", ["curl", "program", "command", "script", "process", "poll", "shell"]),
    ("tail", ["log file", "logs", "follow", "tail -f"]),
    ("mqtt", ["mosquitto", "zigbee2mqtt", "home assistant", "subscribe topic"]),
    ("nats", ["jetstream", "subscribe subject"]),
    ("file", ["watch file", "inotify", "config file"]),
    ("watch", ["inotify", "fswatch", "folder", "directory", "incron", "new file"]),
    ("journal", ["system journal", "journald", "journalctl", "syslog", "logs"]),
    ("dbus", ["bus", "d-bus", "upower", "networkmanager"]),
    ("unit", ["systemd", "service", "systemctl"]),
    ("marble", ["diagram", "test data"]),
    (
      "hold",
      ["retain", "retained", "last value", "sticky", "latched", "current value", "keep", "cache", "shareReplay"]
    ),
    ("replay", ["history", "ReplaySubject", "shareReplay", "buffer size", "backlog"]),
    ("lazy", ["refCount", "on demand", "share"]),
    ("cold", ["defer", "producer", "per subscriber"]),
    ("backpressure", ["block", "flow control"]),
    ("on_error", ["error handling", "errors"]),
  ]
}
