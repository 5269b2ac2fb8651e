import ReactiveCore
import ReactiveTesting

extension OperatorTests {
  static let combineCases: [MarbleCase] = [
    MarbleCase(
      "merge", "a-b|", "-c--d|", expecting: "acb-d|", signal: { .merge($0.all) }, producer: { .merge($0.all) }),
    MarbleCase(
      "merge fails with the first", "a-#", "-c--d|", expecting: "ac#", signal: { .merge($0.all) },
      producer: { .merge($0.all) }),
    MarbleCase(
      "combineLatest(with:)", "a--b-|", "-xy---|", expecting: "-xyy--|",
      signal: { $0[0].combineLatest(with: $0[1]).map(join) }, producer: { $0[0].combineLatest(with: $0[1]).map(join) }),
    MarbleCase(
      "combineLatest of three", "a--d-|", "-b----|", "--c---|", expecting: "--cd--|",
      signal: { Signal.combineLatest($0[0], $0[1], $0[2]).map { max($0, $1, $2) } },
      producer: { SignalProducer.combineLatest($0[0], $0[1], $0[2]).map { max($0, $1, $2) } }),
    MarbleCase(
      "combineLatest of four", "a-|", "a-|", "-b|", "b-|", expecting: "-b|",
      signal: { Signal.combineLatest($0[0], $0[1], $0[2], $0[3]).map { max($0, $1, $2, $3) } },
      producer: { SignalProducer.combineLatest($0[0], $0[1], $0[2], $0[3]).map { max($0, $1, $2, $3) } }),
    MarbleCase(
      "combineLatest of five", "a-|", "a-|", "-b|", "b-|", "-c|", expecting: "-c|",
      signal: { Signal.combineLatest($0[0], $0[1], $0[2], $0[3], $0[4]).map { a, b, c, d, e in max(a, b, c, d, e) } },
      producer: {
        SignalProducer.combineLatest($0[0], $0[1], $0[2], $0[3], $0[4]).map { a, b, c, d, e in max(a, b, c, d, e) }
      }),
    MarbleCase(
      "combineLatest of many", "a--d-|", "-b----|", "--c---|", expecting: "--cd--|",
      signal: { Signal.combineLatest($0.all).map { $0.max() ?? "?" } },
      producer: { SignalProducer.combineLatest($0.all).map { $0.max() ?? "?" } }),
    MarbleCase(
      "zip(with:)", "ab-c|", "-xy-z-|", expecting: "-xy-(z|)", signal: { $0[0].zip(with: $0[1]).map(join) },
      producer: { $0[0].zip(with: $0[1]).map(join) }),
    MarbleCase(
      "zip(with:) completes with the shorter", "ab--|", "x|", expecting: "x|",
      signal: { $0[0].zip(with: $0[1]).map(join) },
      producer: { $0[0].zip(with: $0[1]).map(join) }),
    MarbleCase(
      "zip(with:) fails at the bound", "ab-|", "---|", expecting: "-#",
      signal: { $0[0].zip(with: $0[1], limit: Bound(limit: 1, overflow: .fail(MarbleFailure()))).map(join) },
      producer: { $0[0].zip(with: $0[1], limit: Bound(limit: 1, overflow: .fail(MarbleFailure()))).map(join) }),
    MarbleCase(
      "zip(with:) drops the oldest", "ab--|", "--x-|", expecting: "--b-|",
      signal: { $0[0].zip(with: $0[1], limit: Bound(limit: 1, overflow: .dropOldest)).map { $0.0 } },
      producer: { $0[0].zip(with: $0[1], limit: Bound(limit: 1, overflow: .dropOldest)).map { $0.0 } }),
    MarbleCase(
      "zip(with:) drops the newest", "ab--|", "--x-|", expecting: "--a-|",
      signal: { $0[0].zip(with: $0[1], limit: Bound(limit: 1, overflow: .dropNewest)).map { $0.0 } },
      producer: { $0[0].zip(with: $0[1], limit: Bound(limit: 1, overflow: .dropNewest)).map { $0.0 } }),
    MarbleCase(
      "zip of three", "a-b|", "-x-y|", "--12|", expecting: "--a(b|)",
      signal: { Signal.zip($0[0], $0[1], $0[2]).map { a, _, _ in a } },
      producer: { SignalProducer.zip($0[0], $0[1], $0[2]).map { a, _, _ in a } }),
    MarbleCase(
      "zip of four", "a-b|", "-x-y|", "--12|", "ab|", expecting: "--a(b|)",
      signal: { Signal.zip($0[0], $0[1], $0[2], $0[3]).map { a, _, _, _ in a } },
      producer: { SignalProducer.zip($0[0], $0[1], $0[2], $0[3]).map { a, _, _, _ in a } }),
    MarbleCase(
      "zip of five", "a-b|", "-x-y|", "--12|", "ab|", "ab|", expecting: "--a(b|)",
      signal: { Signal.zip($0[0], $0[1], $0[2], $0[3], $0[4]).map { a, _, _, _, _ in a } },
      producer: { SignalProducer.zip($0[0], $0[1], $0[2], $0[3], $0[4]).map { a, _, _, _, _ in a } }),
    MarbleCase(
      "zip of many", "a-b|", "-x-y|", "--12|", expecting: "--x(y|)",
      signal: { Signal.zip($0.all).map { $0.max() ?? "?" } },
      producer: { SignalProducer.zip($0.all).map { $0.max() ?? "?" } }),
    MarbleCase(
      "zip of many, bounded", "ab|", "--x|", "---|", expecting: "-#",
      signal: { Signal.zip($0.all, limit: Bound(limit: 1, overflow: .fail(MarbleFailure()))).map { $0.max() ?? "?" } },
      producer: {
        SignalProducer.zip($0.all, limit: Bound(limit: 1, overflow: .fail(MarbleFailure()))).map { $0.max() ?? "?" }
      }),
    MarbleCase(
      "withLatest(from:)", "a-bc-|", "-x--y|", expecting: "--xx-|",
      signal: { $0[0].withLatest(from: $0[1].withoutFailure()).map(join) },
      producer: { $0[0].withLatest(from: $0[1].withoutFailure()).map(join) }),
    MarbleCase(
      "combineLast", "ab-|", "c-d-|", expecting: "----(d|)",
      signal: { Signal.combineLast($0.all).map { $0.max() ?? "?" } },
      producer: { SignalProducer.combineLast($0.all).map { $0.max() ?? "?" } }),
    MarbleCase(
      "combineLast of one without values", "--|", "a---|", expecting: "--|",
      signal: { Signal.combineLast($0.all).map { $0.max() ?? "?" } },
      producer: { SignalProducer.combineLast($0.all).map { $0.max() ?? "?" } }),
    MarbleCase(
      "combineLast(with:)", "ab-|", "c-d-|", expecting: "----(d|)",
      signal: { $0[0].combineLast(with: $0[1]).map(join) }, producer: { $0[0].combineLast(with: $0[1]).map(join) }),
    MarbleCase(
      "combineLast of three", "ab-|", "c-d-|", "e|", expecting: "----(d|)",
      signal: { Signal.combineLast($0[0], $0[1], $0[2]).map { _, last, _ in last } },
      producer: { SignalProducer.combineLast($0[0], $0[1], $0[2]).map { _, last, _ in last } }),
    MarbleCase(
      "sequenceEqual, bounded", "ab-|", "---|", expecting: "-#",
      signal: { $0[0].sequenceEqual($0[1], limit: Bound(limit: 1, overflow: .fail(MarbleFailure()))).map(truth) },
      producer: { $0[0].sequenceEqual($0[1], limit: Bound(limit: 1, overflow: .fail(MarbleFailure()))).map(truth) }),
    MarbleCase(
      "sequenceEqual", "ab|", "a-b|", expecting: "---(t|)", signal: { $0[0].sequenceEqual($0[1]).map(truth) },
      producer: { $0[0].sequenceEqual($0[1]).map(truth) }),
    MarbleCase(
      "sequenceEqual of different values", "ab|", "ax|", expecting: "-(f|)",
      signal: { $0[0].sequenceEqual($0[1]).map(truth) }, producer: { $0[0].sequenceEqual($0[1]).map(truth) }),
    MarbleCase(
      "sequenceEqual of fewer values", "ab|", "a|", expecting: "-(f|)",
      signal: { $0[0].sequenceEqual($0[1]).map(truth) }, producer: { $0[0].sequenceEqual($0[1]).map(truth) }),
    MarbleCase(
      "sequenceEqual by a comparison", "ab|", "AB|", expecting: "--(t|)",
      signal: { $0[0].sequenceEqual($0[1]) { upper($0) == upper($1) }.map(truth) },
      producer: { $0[0].sequenceEqual($0[1]) { upper($0) == upper($1) }.map(truth) }),
    MarbleCase(
      "merge(with:)", "a-b|", "-c--d|", expecting: "acb-d|", signal: { $0[0].merge(with: $0[1]) },
      producer: { $0[0].merge(with: $0[1]) }),
  ]
}
