import ReactiveCore
import Testing

@Suite struct EffectTests {
  @Test func `on sees a run from before its start until everything is released`() {
    var log: [String] = []
    SignalProducer<Int, Failure> { observer, lifetime in
      log.append("work")
      observer.send(value: 1)
      observer.send(error: Failure(code: 2))
    }.on(
      starting: { log.append("starting") }, started: { log.append("started") }, event: { log.append("event \($0)") },
      failed: { log.append("failed \($0.code)") }, completed: { log.append("completed") },
      interrupted: { log.append("interrupted") }, terminated: { log.append("terminated") },
      disposed: { log.append("disposed") }, value: { log.append("value \($0)") }
    ).start()
    #expect(
      log == [
        "starting", "work", "event VALUE 1", "value 1", "event FAILED Failure(code: 2)", "failed 2", "terminated",
        "disposed", "started",
      ])
  }

  @Test(arguments: [1, 2, 3]) func `each on of a run over a signal sees its disposal`(_ count: Int) {
    let (signal, input) = Signal<Int, Never>.pipe()
    var log: [String] = []
    let watched = (1...count).reduce(SignalProducer(signal)) { producer, number in
      producer.on(interrupted: { log.append("\(number)") })
    }
    let run = watched.start { log.append("\($0)") }
    input.send(value: 7)
    run.dispose()
    #expect(log == ["VALUE 7"] + (1...count).map(String.init) + ["INTERRUPTED"])
  }

  @Test func `logEvents writes the chosen events with the place of the call`() {
    let (signal, input) = Signal<Int, Never>.pipe()
    var log: [String] = []
    signal.logEvents(
      identifier: "s", events: [.value, .completed, .disposed], fileName: "f", functionName: "g", lineNumber: 1
    ) { log.append("\($0) \($1) \($2) \($3) \($4)") }.observe { _ in }
    input.send(value: 7)
    input.sendCompleted()
    #expect(log == ["s value 7 f g 1", "s completed f g 1", "s disposed f g 1"])
  }

  @Test func `logEvents of a producer logs its start`() {
    var log: [String] = []
    SignalProducer<(), Never>(value: ()).logEvents { _, event, _, _, _ in log.append(event) }.start()
    #expect(log == ["starting", "value", "completed", "terminated", "disposed", "started"])
  }
}
