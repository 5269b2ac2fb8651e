import JSON
import ReactiveCore

extension OperatorDeclaration {
  static let window = OperatorDeclaration(
    "window", "Emits the list of the last values after each value.",
    Parameter<Int?>("count", "how many values the list holds", initial: .some(nil), minimum: 1),
    Parameter<Duration?>("time", "how old a value of the list may be", initial: .some(nil)),
    Parameter<Bool>("partial", "emit before the list is full, too", initial: true),
    example: OperatorExample(
      "window: {count: 2}", in: "1-2-3|", out: "a-b-c|", values: "{a: [1], b: [1, 2], c: [2, 3]}"),
    check: { count, time, _ in (count == nil) == (time == nil) ? "give either count or time" : nil }
  ) { input, context, count, time, partial in
    let lists =
      if let count {
        input.window(count: count, partial: partial)
      } else {
        input.window(time ?? .zero, on: context.scheduler())
      }
    return lists.map { list in .value(.array(list.map(\.value))) }
  }
}
