internal import CMosquitto
internal import Glibc

extension MQTTMessage {
  init(_ message: mosquitto_message, _ properties: OpaquePointer?) {
    topic = message.topic.map { String(cString: $0) } ?? ""
    payload =
      message.payload.map { Array(UnsafeRawBufferPointer(start: $0, count: Int(message.payloadlen))) } ?? []
    qos = message.qos
    isRetained = message.retain
    guard var property = properties else { return }
    var isLater = false
    while true {
      var value: UInt32 = 0
      guard
        let found = mosquitto_property_read_varint(
          property, MQTT_PROP_SUBSCRIPTION_IDENTIFIER.number, &value, isLater)
      else { return }
      subscriptions.append(value)
      (property, isLater) = (found, true)
    }
  }
}

extension mqtt5_property {
  var number: Int32 { Int32(rawValue) }
}
