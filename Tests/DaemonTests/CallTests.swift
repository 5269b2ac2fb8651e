import GraphEngine
import GraphModel
import JSON
import Signals
import Testing

@testable import Daemon

/// An action controlled by a test.
private final class PlayedAction: CallableAction {
  let name = "g.fan"
  private(set) var lookUps = 0
  var access: AccessRules {
    lookUps += 1
    return AccessRules()
  }
  private(set) var value: Payload?
  private(set) var isCancelled = false
  private var observer: ((RunEvent) -> Void)?
  var refusal: CallRefusal?

  func call(
    _ value: Payload?, _ observer: @escaping (RunEvent) -> Void
  ) throws(CallRefusal) -> any Disposable {
    if let refusal { throw refusal }
    self.value = value
    self.observer = observer
    return AnyDisposable { self.isCancelled = true }
  }

  func tell(_ event: RunEvent) { observer?(event) }
}

@Suite struct `Calls` {
  private let action = PlayedAction()
  private let daemon: TestDaemon

  init() throws {
    daemon = try HostKind.inProcess.start("g: {signals: {in: {input: {}}}}", server: "{limits: {output: 50KiB}}")
    try #require(daemon.host as? LoopHost).daemon.hub.runtime.actions["g.fan"] = action
  }

  private static let request = #"{"op":"call","id":"c","action":"g.fan","value":{"speed":1.50}}"#

  @Test(arguments: ["send g.fan 1", "subscribe g.fan", "get g.fan", "describe g.fan", "restart g.fan"])
  func `the name of an action where a signal is meant is an error`(request: String) throws {
    #expect(
      try daemon.connect().ask(request).contains(
        #""message":"\"g.fan\" is an action, not a signal: call it, or subscribe to \"g.fan.values\"""#))
  }

  @Test func `outputs come as events, then the answer, and other answers do not wait`() throws {
    let client = try daemon.connect()
    try client.say(Self.request)
    try client.expectNothing()
    action.tell(.next(.value(1)))
    action.tell(.next(.value(["a": true])))
    try client.expectNothing(
      after: #"{"event":"next","call":"c","value":1}"#, #"{"event":"next","call":"c","value":{"a":true}}"#)
    action.tell(.completed)
    try client.expect(#"{"reply":"call","id":"c"}"#)
    let value = try #require(action.value)
    #expect(value.value.description == #"{"speed":1.50}"#)
  }

  @Test func `a failure has the program's status, and a timeout its own code`() throws {
    let client = try daemon.connect()
    try client.say(Self.request)
    try client.expectNothing()
    action.tell(.failed(SignalFailure(code: "exit", message: "fan exited with status 3"), status: 3))
    try client.expect(
      #"{"reply":"error","id":"c","op":"call","error":{"code":"failed","message":"fan exited with status 3","status":3}}"#
    )
    try client.say(Self.request)
    try client.expectNothing()
    action.tell(.timedOut)
    #expect(try client.line().contains(#""code":"timeout""#))
  }

  @Test(arguments: [(CallRefusal.disabled, "disabled"), (.busy, "busy")])
  func `an action that does not run reports why`(refusal: CallRefusal, code: String) throws {
    action.refusal = refusal
    let client = try daemon.connect()
    #expect(try client.ask(Self.request).contains(#""id":"c","op":"call","error":{"code":"\#(code)""#))
    try client.finish()
    try client.expectEnd()
  }

  @Test func `closing the connection cancels, and shutting down one side does not`() throws {
    do {
      let client = try daemon.connect()
      try client.say(Self.request)
      try client.expectNothing()
      try client.finish()
      action.tell(.next(.value(1)))
      try client.expect(#"{"event":"next","call":"c","value":1}"#)
      #expect(!action.isCancelled)
    }
    try daemon.iteration { action.isCancelled }
  }

  @Test func `after a half-close the connection ends with the call`() throws {
    let client = try daemon.connect()
    try client.say(Self.request)
    try client.finish()
    try daemon.iteration { action.value != nil }
    action.tell(.completed)
    try client.expect(#"{"reply":"call","id":"c"}"#)
    try client.expectEnd()
  }

  @Test func `an id cannot be called twice at once, and a call needs one`() throws {
    let client = try daemon.connect()
    try client.say(Self.request)
    #expect(try client.ask(Self.request).contains(#""code":"bad_request""#))
    #expect(try client.ask("call g.fan").contains(#""code":"bad_request""#))
  }

  @Test func `a client that does not read the outputs loses the call, not the connection`() throws {
    let client = try daemon.connect()
    try client.say(Self.request)
    try client.expectNothing()
    let text = String(repeating: "x", count: 1000)
    for _ in 0..<2000 where !action.isCancelled {
      action.tell(.next(.value(.string(text))))
      try daemon.host.iteration()
    }
    #expect(action.isCancelled)
    var line = ""
    while !line.contains(#""reply":"error""#) { line = try client.line() }
    #expect(line.contains(#""code":"failed""#) && line.contains("limits.output"))
    try client.expectNothing()
  }

  @Test func `who may call is looked up once, not for each call`() throws {
    let client = try daemon.connect()
    for _ in 1...3 {
      try client.say(Self.request)
      try client.expectNothing()
      action.tell(.completed)
      _ = try client.line()
    }
    #expect(action.lookUps == 1)
  }

  @Test func `a call that runs when the daemon ends is answered`() throws {
    let client = try daemon.connect()
    try client.say(Self.request)
    try client.expectNothing()
    try #require(daemon.host as? LoopHost).daemon.end()
    try client.expect(
      #"{"reply":"error","id":"c","op":"call","error":{"code":"shutting_down","message":"the daemon is shutting down"}}"#
    )
    try client.expectEnd()
    #expect(action.isCancelled)
  }
}
