internal import Cluster
internal import Signals
internal import StateLog

/// A node of a simulated cluster: its present process, and its connection.
final class SimulatedNode {
  let name: String
  unowned let cluster: SimulatedCluster
  private(set) var process: SimulatedProcess?
  private(set) var isConnected = true
  /// True if its program sends and takes one forwarded send at a time, as the first version did.
  var isFormer = false
  private var lastBoot = 0
  /// What has happened while the process is paused.
  private var waiting: [() -> Void] = []
  private var isPaused = false

  init(_ name: String, _ cluster: SimulatedCluster) {
    self.name = name
    self.cluster = cluster
  }

  func start() {
    guard process == nil else { return }
    lastBoot += 1
    process = SimulatedProcess(self, boot: "\(name)\(lastBoot)")
    process?.start()
  }

  func kill() {
    process?.end()
    process = nil
    waiting = []
    isPaused = false
  }

  func pause() { isPaused = process != nil }

  func resume() {
    isPaused = false
    let happened = waiting
    waiting = []
    for event in happened { event() }
  }

  func disconnect() {
    isConnected = false
    happen { $0.connectionChanged() }
  }

  func connect() {
    guard !isConnected else { return }
    isConnected = true
    happen { $0.connectionChanged() }
  }

  /// Reports an event to the present process, or to a given one if it still lives.
  func happen(in process: SimulatedProcess? = nil, _ event: @escaping (SimulatedProcess) -> Void) {
    guard let present = self.process, process == nil || process === present else { return }
    if isPaused {
      waiting.append { [unowned self] in happen(in: present, event) }
    } else {
      event(present)
      present.settle()
    }
  }
}
