internal import JSON

/// A message of MQTT.
struct MQTTMessage: Equatable, Sendable {
  var topic: String
  var payload: [UInt8]
  var qos: Int32
  var isRetained: Bool
  /// The numbers of the subscriptions that it is for, where the broker says them.
  var subscriptions: [UInt32] = []

  init(topic: String, payload: [UInt8], qos: Int32 = 0, isRetained: Bool = false) {
    self.topic = topic
    self.payload = payload
    self.qos = qos
    self.isRetained = isRetained
  }

  /// Reads the request of a task.
  init(request: JSONObject) throws(TaskFailure) {
    guard let topic = request.string("topic"), let qos = request.integer("qos"), 0...2 ~= qos else {
      throw TaskFailure("bad_request", "a message needs a topic and a quality of service")
    }
    self.topic = topic
    self.qos = Int32(qos)
    payload = Array((request.string("payload") ?? "").utf8)
    isRetained = request.flag("retain")
  }

  init?(will: JSONObject) {
    guard let message = try? MQTTMessage(request: will) else { return nil }
    self = message
  }
}
