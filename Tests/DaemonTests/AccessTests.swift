import Glibc
import GraphCatalogue
import GraphEngine
import GraphModel
import JSON
import Linux
import Signals
import TestSupport
import Testing

@testable import Daemon
@testable import World

private let graphs = """
  open: {signals: {in: {input: {}}}}
  shut:
    access: {subscribe: ["@users", "uid:1001"]}
    signals:
      in: {input: {}, access: {send: ["gid:2000"]}}
      secret: {input: {}, private: true}
      nobody: {input: {}, access: {send: [], subscribe: []}}
  acts:
    access: {call: ["uid:3000"]}
    signals: {}
    actions:
      own: {exec: ["true"]}
      others: {exec: ["true"], access: {call: ["uid:3001"]}}
      hidden: {exec: ["true"], access: {subscribe: []}}
  """

/// A user's session with a daemon, without a socket between them.
private final class Visitor: SendBufferOwner {
  private let house: House
  private let session: Session
  private var bytes: [UInt8] = []

  init(_ credentials: PeerCredentials, _ house: House) {
    let account = house.ledger.account(ofUser: credentials.userID)
    session = Session(
      ClientIdentity(credentials), account: account, limits: ClientLimits(), budget: 1 << 20, hub: house.hub)
    self.house = house
    session.sendBuffer.attach(to: self)
  }

  deinit { session.end() }

  func flush() { session.sendBuffer.flush() }

  func write(_ bytes: UnsafeRawBufferPointer) -> Int? {
    self.bytes += bytes
    return bytes.count
  }

  func disconnectSlow(exceeding limit: MemoryLimit) {}
  func didFallBehind() {}

  /// Executes a line and returns all output so far.
  func ask(_ line: String) -> String {
    _ = house.dispatcher.carryOut(Array(line.utf8).span, for: session)
    return told()
  }

  /// Returns the output since the last call.
  func told() -> String {
    house.iteration.flush()
    defer { bytes = [] }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A hub with its dispatcher.
private final class House {
  let iteration = LoopIteration(IterationClock())
  let ledger: Ledger
  let hub: Hub
  let dispatcher: Dispatcher
  let records = MemoryLog()
  private let loop: EventLoop
  private let world: SystemWorld
  private var polling: PollerAttachment?
  private let folder = TemporaryFolder()

  init(_ text: String = graphs, server: String = "{}") throws {
    let configuration = try House.load(text, server: server, in: folder)
    ledger = Ledger(limits: configuration.server.limits)
    let log = Log(sink: records)
    loop = try EventLoop()
    let poller = try Poller()
    world = try SystemWorld(loop: loop, poller: poller, log: log)
    hub = Hub(GraphRuntime(configuration, world: world, now: .zero, wallOffset: 0), iteration: iteration)
    dispatcher = Dispatcher(
      hub: hub, control: Control(hub: hub, ledger: ledger), audit: AuditLog(log), network: world.systemNetwork,
      maximumDepth: 128)
    dispatcher.observers = Members(configuration.server.access.stats)
    polling = try poller.attach(to: loop)
    hub.runtime.start()
  }

  // A child that has ended and is not waited for hides the ends of other children from tests that expect an exit.
  deinit { world.close() }

  /// Runs the programs until a condition holds.
  func proceed(until condition: () -> Bool) throws {
    while !condition() { try loop.runIteration(timeout: .seconds(20)) }
  }

  func reload(_ graphs: String) throws { _ = hub.reload(try House.load(graphs, in: folder)) }

  private static func load(
    _ graphs: String, server: String = "{}", in folder: TemporaryFolder
  ) throws -> Configuration {
    try Configuration.load(.alone(folder.writeConfiguration(graphs, server: server)))
  }
}

extension PeerCredentials {
  fileprivate static func user(_ id: UInt32, groups: UInt32...) -> PeerCredentials {
    PeerCredentials(processID: 1, userID: id, groupID: id, groups: groups)
  }
}

@Suite struct `Who may do what` {
  private let users = Accounts.groupID(named: "users") ?? 100

  @Test func `absent rules admit all users`() throws {
    let visitor = Visitor(.user(4711), try House())
    #expect(visitor.ask("send open.in 1") == "")
    #expect(visitor.ask("subscribe open.in").hasPrefix(#"{"reply":"subscribe""#))
  }

  @Test func `a list lets in users, groups and supplementary groups, and denies the others`() throws {
    let house = try House()
    for credentials in [PeerCredentials.user(1001), .user(4711, groups: users)] {
      let visitor = Visitor(credentials, house)
      #expect(visitor.ask("subscribe shut.in").hasPrefix(#"{"reply":"subscribe""#))
      #expect(visitor.ask("send shut.in 1").contains(#""code":"denied""#))
    }
    let sender = Visitor(.user(4711, groups: 2000), house)
    #expect(sender.ask("send shut.in 1") == "")
    #expect(sender.ask("subscribe shut.in").contains(#""code":"denied""#))
    #expect(sender.ask("get shut.in").contains(#""code":"denied""#))
    #expect(
      sender.ask("list shut.*")
        == #"{"reply":"list","signals":[{"signal":"shut.in","kind":"input","send":true,"subscribe":false,"held":false}]}"#
        + "\n")
  }

  @Test func `an act and a denial stand in the log, with their user`() throws {
    let house = try House()
    _ = Visitor(.user(1001), house).ask("send shut.in 1")
    _ = Visitor(.user(1001), house).ask("reload")
    _ = Visitor(.user(0), house).ask("restart open")
    _ = Visitor(.user(0), house).ask(#"{"op":"call","id":1,"action":"open.nothing"}"#)
    _ = Visitor(.user(0), house).ask("get open.in")
    let told = house.records.records
    #expect(
      told.map { $0.message.prefix { $0 != ":" } } == [
        "send, denied to user 1001, process 1", "reload, denied to user 1001, process 1",
        "restart of \"open\", requested by user 0, process 1",
        "call of \"open.nothing\", requested by user 0, process 1",
      ])
    #expect(told.map(\.level) == [.notice, .notice, .notice, .info])
    for record in told {
      #expect(record.fields.map(\.name) == ["uid", "pid", "message_id"] && record.fields[1].value == "1")
    }
  }

  @Test func `no client fills the log with what it is denied`() throws {
    let house = try House()
    let visitor = Visitor(.user(1001), house)
    for _ in 0..<1000 { _ = visitor.ask("send shut.in 1") }
    #expect(house.records.records.count < 100)
  }

  @Test func `nor hides behind it what others do, nor writes long lines there`() throws {
    let house = try House()
    let visitor = Visitor(.user(1001), house)
    for _ in 0..<100 { _ = visitor.ask("send shut.in 1") }
    let name = "a." + String(repeating: "b", count: 100_000)
    for id in 0..<100 { _ = visitor.ask(#"{"op":"call","id":\#(id),"action":"\#(name)"}"#) }
    _ = Visitor(.user(0), house).ask("restart open")
    #expect(house.records.records.contains { $0.message == "restart of \"open\", requested by user 0, process 1" })
    #expect(house.records.records.allSatisfy { $0.message.count < 500 })
  }

  @Test(arguments: ["shut.in", "shut.secret", "shut.nobody"])
  func `a signal that one may neither send to nor subscribe to looks like an unknown one`(name: String) throws {
    let visitor = Visitor(.user(4711), try House())
    for op in ["send \(name) 1", "subscribe \(name)", "get \(name)", "describe \(name)"] {
      #expect(visitor.ask(op).contains(#""code":"unknown_signal","message":"no signal \"\#(name)\"""#))
    }
    #expect(!visitor.ask("list").contains("shut."))
    #expect(visitor.ask("subscribe *.*").contains(#""signals":[{"signal":"open.in","seq":0}]"#))
    #expect(visitor.ask("describe shut").contains(#""code":"unknown_graph""#))
  }

  @Test func `a view contains for each user what may be seen, and whether it may be operated`() throws {
    let views = "views: {all: {show: [open.in, shut.in, acts.own, acts.hidden]}, one: {show: [shut.in]}}"
    let house = try House(server: "{}\n\(views)")
    func answer(_ user: UInt32) -> String { Visitor(.user(user), house).ask("views") }
    #expect(
      answer(4711) == #"{"reply":"views","views":[{"name":"all","title":"all","show":["#
        + #"{"signal":"open.in","as":"text","type":"any","send":true},{"action":"acts.own","as":"button","send":false}]}]}"#
        + "\n")
    #expect(answer(1001).split(separator: #"{"signal":"shut.in","as":"text","type":"any","send":false}"#).count == 3)
    #expect(
      answer(3000).contains(#"{"action":"acts.hidden","as":"button","send":true}]}"#) && !answer(3000).contains("one"))
  }

  @Test func `an action is called by users that its list or its graph's names, and by no other but root`() throws {
    let house = try House()
    func code(_ user: UInt32, _ action: String) -> String {
      let answer = Visitor(.user(user), house).ask(#"{"op":"call","id":1,"action":"acts.\#(action)"}"#)
      return answer.split(separator: #""code":""#).last.map { String($0.prefix { $0 != "\"" }) } ?? "none"
    }
    #expect(code(4711, "own") == "denied")
    #expect(code(4711, "hidden") == "unknown_action")
    #expect(code(3001, "own") == "denied")
    #expect(code(3000, "others") == "denied")
    for (user, action) in [(3000, "own"), (3001, "others"), (3000, "hidden"), (0, "own")] as [(UInt32, String)] {
      let visitor = Visitor(.user(user), house)
      #expect(visitor.ask(#"{"op":"call","id":1,"action":"acts.\#(action)"}"#) == "", "\(user) \(action)")
      try house.proceed {
        house.hub.runtime.signal(named: "acts.\(action).executing")?.retained.last?.payload.value == false
      }
      #expect(visitor.told() == #"{"reply":"call","id":1}"# + "\n")
    }
  }

  @Test(arguments: [0, geteuid()]) func `root and the daemon's own user may everything that is not private`(
    user: UInt32
  ) throws {
    let visitor = Visitor(.user(user), try House())
    #expect(visitor.ask("send shut.nobody 1") == "")
    #expect(visitor.ask("subscribe shut.nobody").hasPrefix(#"{"reply":"subscribe""#))
    #expect(visitor.ask("get shut.secret").contains(#""code":"unknown_signal""#))
  }

  private static let hiding = """
    g:
      signals:
        in: {input: {}, access: {subscribe: []}}
        seen: {from: xhidden, pipe: [{send_to: h.xsink}, {take_until: {signal: xtrigger}}], access: {subscribe: ["uid:4711"]}}
        all:
          merge: [in, {from: g.xhidden, pipe: [{map: .a}]}, {combine: [h.xsink, xprivate]}, {switch: {on: in, cases: {a: xhidden}}}]
        acted: {from: xact.values, pipe: [{catch: xhidden}]}
        calling: {from: in, pipe: [{call: {action: xact, dead_letter: xhidden}}]}
        calls: {merge: [in, {from: in, pipe: [{call: g.xact}]}]}
        xhidden: {input: {}, access: {send: [], subscribe: []}, pipe: [{send_to: in}]}
        xtrigger: {input: {}, access: {send: [], subscribe: []}}
        xprivate: {from: seen, private: true}
      actions:
        xact: {exec: ["true"], access: {subscribe: []}}
    h:
      access: {send: [], subscribe: []}
      signals:
        xsink: {input: {}}
    """

  @Test(
    arguments: [
      "list", "list *.*", "list *.*.*", "describe g", "describe g.in", "describe g.seen", "describe g.all",
      "describe g.acted", "describe g.calling", "describe h", "describe g.xhiddem", "get g.xhiddem", "send g.xhiddem 1",
      "send g.in 1",
      "subscribe *.*", "subscribe g.all", "unsubscribe g.a", "get g.in", "stats", "help", "hello", "reload",
      #"{"op":"call","id":1,"action":"g.xacd"}"#, "restart g.seen",
      #"{"op":"subscribe","signal":"g.*","overflow":"block"}"#,
    ])
  func `no answer names a signal that its client may not see`(request: String) throws {
    let visitor = Visitor(.user(4711), try House(Self.hiding))
    let answer = visitor.ask(request).replacing("xhiddem", with: "").replacing("xacd", with: "")
    for name in ["xhidden", "xtrigger", "xprivate", "xsink", "xact", "4711\""] {
      #expect(!answer.contains(name), "\(answer)")
    }
  }

  @Test func `describe puts null where it does not name a signal, and root sees all but private ones`() throws {
    let house = try House(Self.hiding)
    let visitor = Visitor(.user(4711), house)
    #expect(
      visitor.ask("describe g.seen").hasPrefix(
        #"{"reply":"describe","signal":"g.seen","kind":"derived","declaration":{"from":null,"pipe":[{"send_to":null},{"take_until":{"signal":null}}]},"upstream":[],"downstream":["g.all"]"#
          .replacing(#","downstream":["g.all"]"#, with: "")))
    // It may only send there.
    #expect(visitor.ask("describe g.in").hasSuffix(#""downstream":["g.all","g.calling","g.calls"]}"# + "\n"))
    let root = Visitor(.user(0), house)
    let answer = root.ask("describe g.seen")
    #expect(answer.contains(#""from":"xhidden""#) && answer.contains(#""access":"#))
    for request in ["describe g", "list", "stats"] { #expect(!root.ask(request).contains("xprivate")) }
  }

  @Test func `a call is described without the name of an action that its client may not know, also when it has failed`()
    throws
  {
    let house = try House(
      """
      g:
        access: {subscribe: [root], send: [root], call: [root]}
        signals:
          a: {input: {}}
          seen: {from: a, access: {subscribe: ["uid:4711"]}, pipe: [{call: {action: act, dead_letter: dead}}]}
          full: {from: a, access: {subscribe: ["uid:4711"]}, pipe: [{call: {action: act, limit: 1, overflow: block}}]}
          dead: {input: {}}
        actions:
          act: {exec: ["false"]}
      """)
    _ = Visitor(.user(0), house).ask("send g.a 1")
    try house.proceed { house.hub.runtime.waitingCalls["g.seen"]?.contains { $0.failure != nil } == true }
    let visitor = Visitor(.user(4711), house)
    let described = visitor.ask("describe g.seen")
    #expect(described.contains(#""pipe":[{"call":{"action":null,"dead_letter":null}}]"#), "\(described)")
    #expect(described.contains(#""calls":[{"waiting":0,"error":{"code":"failed""#), "\(described)")
    let listed = visitor.ask("list g.*")
    #expect(listed.contains(#""calls":{"waiting":"#) && listed.contains(#""code":"failed""#), "\(listed)")
    for answer in [described, listed, visitor.ask("describe g"), visitor.ask("stats")] {
      #expect(!answer.contains("g.act") && !answer.contains(#""act""#) && !answer.contains("dead\""), "\(answer)")
    }
    let root = Visitor(.user(0), house)
    #expect(root.ask("describe g.seen").contains(#""calls":[{"action":"g.act","waiting":0"#))
    #expect(root.ask("list g.seen").contains(#""action":"g.act""#))
  }

  @Test func `the verdict of a reload omits private signals, and their errors are not published`() throws {
    let house = try House("g: {signals: {a: {input: {}}, b: {from: a, pipe: [{map: error}], private: true}}}")
    let root = Visitor(.user(0), house)
    _ = root.ask("subscribe signalbox.reload")
    _ = root.ask("subscribe signalbox.errors")
    #expect(root.ask(#"send g.a "x""#) == "")
    for graphs in ["{a: {input: {}}, c: {from: a, private: true}}", "{a: {input: {}}}"] {
      try house.reload("g: {signals: \(graphs)}")
      let verdict = root.told()
      #expect(verdict.contains(#""kept":["g.a"],"changed":[],"added":[],"removed":[]"#))
    }
  }

  @Test(arguments: ["reload", "restart open"]) func `others may not manage the daemon`(request: String) throws {
    let visitor = Visitor(.user(4711), try House())
    #expect(visitor.ask(request).contains(#""code":"denied""#))
    #expect(!visitor.ask("stats").contains(#""daemon""#))
  }

  @Test func `users who may see the counts see them all, and may do no more than before`() throws {
    let house = try House(graphs, server: #"{access: {stats: ["gid:3000"]}}"#)
    let observer = Visitor(.user(4711, groups: 3000), house)
    let stats = observer.ask("stats")
    #expect(stats.contains(#""daemon":{"#) && stats.contains(#""shut.in":{"#) && !stats.contains("shut.secret"))
    #expect(!Visitor(.user(4711), house).ask("stats").contains(#""daemon""#))
    let place = #"{"op":"describe","signal":"open.in","place":true}"#
    #expect(
      observer.ask(place).contains(#""place":"#) && !Visitor(.user(4711), house).ask(place).contains(#""place":"#))
    let text = #"{"op":"describe","signal":"open.in","text":true}"#
    #expect(!Visitor(.user(4711), house).ask(text).contains(#""text":"#))
    #expect(observer.ask("subscribe shut.in").contains(#""code":"unknown_signal""#))
    #expect(observer.ask("reload").contains(#""code":"denied""#))
    #expect(observer.ask("stats").contains(#""denied":1,"#))
  }

  @Test func `a reload that revokes a right interrupts, and one that grants it is reported to patterns`() throws {
    let house = try House()
    let visitor = Visitor(.user(4711), house)
    _ = visitor.ask("subscribe open.in")
    _ = visitor.ask(#"{"op":"subscribe","signal":"*.in","subscription":"all"}"#)
    try house.reload(
      "open: {signals: {in: {input: {}, access: {subscribe: [root]}}}}\nshut: {signals: {in: {input: {}}}}")
    let told = Set(visitor.told().split(separator: "\n"))
    #expect(
      told == [
        #"{"event":"interrupted","signal":"open.in","reason":"denied"}"#,
        #"{"event":"interrupted","subscription":"all","signal":"open.in","reason":"denied"}"#,
        #"{"event":"subscribed","subscription":"all","signal":"shut.in","seq":0}"#,
      ])
  }
}
