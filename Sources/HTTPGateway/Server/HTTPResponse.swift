/// A complete response.
struct HTTPResponse: Sendable {
  typealias Header = (name: String, value: String)

  var status: Int
  var headers: [Header]
  var body: [UInt8]

  init(_ status: Int, headers: [Header] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  init(_ status: Int, type: String, _ text: String, headers: [Header] = []) {
    self.init(status, headers: [("Content-Type", type)] + headers, body: Array(text.utf8))
  }
}
