import Base
import GraphEngine
import GraphModel
import JSON
import ReactiveTesting
import Signals

extension SourceDeclaration {
  static let marble = SourceDeclaration(
    "marble", "Emits the events of a diagram, one column per tick.", kind: .source,
    Parameter<DiagramParameter>("diagram", "the diagram"),
    Parameter<Duration>("tick", "the time between two columns", initial: .seconds(1), shortest: .milliseconds(1)),
    Parameter<LettersParameter>("values", "the values of the letters", initial: LettersParameter()),
    check: { diagram, tick, _ in
      let longest = DurationText.longest
      return diagram.diagram.length(tick: tick) > longest
        ? "the diagram is longer than \(DurationText.written(longest))" : nil
    }
  ) { context, diagram, tick, values in
    let (stream, output) = Stream.pipe()
    context.keep(output)
    let columns = diagram.diagram.columns
    let play = { (column: Int) in
      // A damaged state may contain any time.
      guard columns.indices.contains(column) else { return }
      for mark in columns[column] { output.send(values.letters.event(of: mark)) }
    }
    let start = context.cell(context.clock.now)
    let arrival = context.cell(context.body.isRestored ? 0 : context.clock.nextArrival())
    // Of two marks due at the same time, the one of the earlier diagram is emitted first, however long each has waited.
    func wait(_ alarm: Alarm, after column: Int) {
      guard let next = columns.indices.first(where: { $0 > column && !columns[$0].isEmpty }) else { return }
      alarm.set(at: start.value + tick * next, inPlaceOf: arrival.value)
    }
    let alarm = Alarm(context) { alarm, due in
      let column = Int((due - start.value) / tick)
      wait(alarm, after: column)
      play(column)
    }
    context.body.onEnd { alarm.dispose() }
    context.onStart { play(0) }
    if !context.body.isRestored { wait(alarm, after: 0) }
    return stream
  }
  .drivenByTime()
  .alsoKnown(as: "diagram", "test data")
}

struct DiagramParameter: ParameterValue {
  let diagram: MarbleDiagram

  static var typeName: String { "a marble diagram" }
  static var shape: ParameterShape { .text }

  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> DiagramParameter? {
    DiagramReader.diagram(node, reading.reader.context).map(DiagramParameter.init)
  }
}

/// The values for the letters of a diagram, as a parameter.
struct LettersParameter: ParameterValue {
  var letters = MarbleValues()

  static var typeName: String { "a map of values by letters" }
  var defaultText: String? { nil }

  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> LettersParameter? {
    var parameter = LettersParameter()
    parameter.letters.read(reading.reader(node))
    return parameter
  }
}

extension MarbleValues {
  fileprivate func event(of mark: MarbleDiagram.Mark) -> Stream.Event {
    switch mark {
    case .value(let letter): .value(.value(value(of: letter)))
    case .completed: .completed
    case .failed: .failed(failure)
    case .interrupted: .interrupted
    }
  }
}
