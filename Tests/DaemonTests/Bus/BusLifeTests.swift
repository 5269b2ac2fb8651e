import BusSupport
import Glibc
import GraphModel
import JSON
import Linux
import Signals
import TestSupport
import Testing

@testable import Daemon
@testable import World

@Suite struct `A bus` {
  private static let level: [String: TestService.Property] = ["Level": .init(.int32, .integer(1))]

  @Test func `is connected to when it is needed, and only as long`() throws {
    let stage = try BusStage()
    let service = try stage.service(properties: Self.level)
    defer { service.close() }
    #expect(stage.buses.connectionCount == 0)
    let watched = (0..<3).map { _ in stage.watch(["Level"]) }
    try stage.wait(until: watched.allSatisfy { $0.values["Level"] == 1 })
    #expect(stage.buses.connectionCount == 1)
    for watch in watched { watch.disposable?.dispose() }
    try stage.wait(until: stage.buses.connectionCount == 0)
    let another = stage.watch(["Level"])
    try stage.wait(until: another.values["Level"] == 1)
  }

  @Test func `that is killed and restarted is found again, and each is logged once`() throws {
    let stage = try BusStage()
    let watched = stage.watch(["Level"])
    let listener = stage.listen(to: "Pressed")
    for round in 1...3 {
      let service = try stage.service(properties: Self.level)
      try stage.wait(until: watched.values["Level"] == 1)
      stage.bus.kill()
      try stage.wait(until: watched.isGone && listener.isGone && service.isClosed)
      #expect(try stage.call("Ping").failure?.code == "gone")
      try stage.bus.startAgain()
      try stage.wait(until: stage.lines.count(of: "reconnected to the") == round)
    }
    #expect(stage.lines.count(of: "lost the connection") == 3)
  }

  @Test func `that is away at first is waited for`() throws {
    let stage = try BusStage()
    stage.bus.kill()
    let watched = stage.watch(["Level"])
    try stage.wait(until: watched.isGone)
    let answer = try stage.call("Ping")
    #expect(answer.failure?.code == "gone")
    try stage.bus.startAgain()
    let service = try stage.service(properties: Self.level)
    defer { service.close() }
    try stage.wait(until: watched.values["Level"] == 1)
    #expect(stage.lines.count(of: "lost the connection") == 1)
  }

  @Test func `that loses a call reports that`() throws {
    let stage = try BusStage()
    let service = try stage.service()
    service.meddle = { _ in true }
    var answer: BusAnswer?
    let method = BusMethod(
      of: stage.object(), interface: TestService.interface, member: "Wait", signature: "", owner: "test.call")
    let call = stage.buses.call(method, with: []) { answer = $0 }
    try stage.wait(until: service.calls["Wait"] == 1)
    stage.bus.kill()
    try stage.wait(until: answer != nil)
    #expect(answer?.failure?.code == "gone")
    call.dispose()
  }

  @Test func `of an address that is no socket is away`() throws {
    let stage = try BusStage()
    for address in ["tcp:host=example.org,port=1", "unixexec:path=/bin/true", "", "unix:path=/nonexistent"] {
      let method = BusMethod(
        of: BusObject(bus: .address(address), name: "a.b", path: "/"), interface: "a.b", member: "C", signature: "",
        owner: "test.call")
      var answer: BusAnswer?
      let call = stage.buses.call(method, with: []) { answer = $0 }
      try stage.wait(until: answer != nil)
      #expect(answer?.failure?.code == "gone")
      call.dispose()
    }
  }

  @Test func `that accepts and never answers delays nothing else, and is given up`() throws {
    let stage = try BusStage()
    let service = try stage.service(properties: Self.level)
    stage.buses.patience = .milliseconds(300)
    let folder = TemporaryFolder()
    let deaf = try UnixListener(path: folder("deaf"), mode: 0o600)
    let object = BusObject(bus: .address("unix:path=\(folder("deaf"))"), name: BusStage.name, path: TestService.path)
    let watched = Watched()
    watched.disposable = stage.buses.watch(
      BusProperties(of: object, [.init(interface: TestService.interface, properties: ["Level"])])
    ) { watched.take($0) }
    let other = stage.watch(["Level"])
    try stage.wait(until: other.values["Level"] == 1)
    try service.change("Level", to: .integer(2))
    try stage.wait(until: other.values["Level"] == 2)
    #expect(watched.events.isEmpty)
    try stage.wait(until: watched.isGone)
    withExtendedLifetime(deaf) {}
  }

  @Test func `leaves no descriptor behind, however often it goes`() async {
    // In a process of its own, where no other test opens descriptors.
    await #expect(processExitsWith: .success) {
      let stage = try BusStage()
      let before = try descriptorCount()
      for _ in 0..<20 {
        let watched = stage.watch(["Level"])
        try stage.wait(until: watched.isGone)
        stage.bus.kill()
        try stage.wait(until: stage.buses.connectionCount == 0)
        try stage.bus.startAgain()
        watched.disposable?.dispose()
      }
      try stage.wait(until: stage.buses.connectionCount == 0)
      // The bus itself has three: its output, its errors, its end; the loop's timer was created meanwhile.
      #expect(try descriptorCount() <= before + 1)
    }
  }
}

private func descriptorCount() throws -> Int {
  var count = 0
  let folder = try #require(opendir("/proc/self/fd"))
  defer { closedir(folder) }
  while readdir(folder) != nil { count += 1 }
  return count
}
