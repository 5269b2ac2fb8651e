import Linux
import Testing

@testable import World

@Suite struct `The name of a client at a broker` {
  @Test(arguments: [
    (nil, "home"), ("/run/signalbox/signalbox.sock", "home"), ("/run/signalbox-lab/signalbox.sock", "lab-home"),
    ("/run/user/1000/signalbox/signalbox.sock", "64d2e2d-home"),
  ])
  func `tells the daemons of a host apart by their sockets`(socket: String?, end: String) {
    let name = BrokerClient.name(for: "home", socket: socket)
    #expect(name == "signalbox-\(CurrentProcess.hostName)-\(end)")
  }
}
