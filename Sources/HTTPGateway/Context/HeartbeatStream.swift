/// A stream that says from time to time that it is there, so that a peer that has gone is noticed.
protocol HeartbeatStream: AnyObject {
  func beat()
}
