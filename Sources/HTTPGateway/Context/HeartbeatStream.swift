/// A stream with heartbeats, so that a disconnected peer is detected.
protocol HeartbeatStream: AnyObject {
  func beat()
}
