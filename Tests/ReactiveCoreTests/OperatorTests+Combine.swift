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
      "combineLatest", "a--b-|", "-xy---|", expecting: "-xyy--|",
      signal: { $0[0].combineLatest(with: $0[1]).map(join) }, producer: { $0[0].combineLatest(with: $0[1]).map(join) }),
    MarbleCase(
      "combineLatest of many", "a--d-|", "-b----|", "--c---|", expecting: "--cd--|",
      signal: { .combineLatest($0.all).map { $0.max() ?? "?" } },
      producer: { .combineLatest($0.all).map { $0.max() ?? "?" } }),
    MarbleCase(
      "withLatest(from:)", "a-bc-|", "-x--y|", expecting: "--xx-|",
      signal: { $0[0].withLatest(from: $0[1].withoutFailure()).map(join) },
      producer: { $0[0].withLatest(from: $0[1].withoutFailure()).map(join) }),
  ]
}
