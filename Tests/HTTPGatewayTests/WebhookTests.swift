import Testing

@testable import HTTPGateway

/// The signatures of services that push.
@Suite struct WebhookTests {
  /// The example of Standard Webhooks' own tests.
  private static let example = (
    secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", id: "msg_p5jXN8AQM9LWM0D4loKWxJek", time: 1_614_265_330,
    body: #"{"test": 2432232314}"#, signature: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
  )

  private func webhook(_ header: String, _ secret: String) -> Webhook? {
    Webhook(name: "h", signal: "g.s", header: header, written: Array(secret.utf8))
  }

  private func isSigned(
    after seconds: Int = 0, id: String = example.id, signature: String = example.signature,
    body: String = example.body
  ) throws -> Bool {
    let hook = try #require(webhook("Webhook-Signature", Self.example.secret))
    let request = HTTPRequest(
      method: "POST", path: "/hooks/h",
      headers: [("webhook-id", id), ("webhook-timestamp", "\(Self.example.time)"), ("webhook-signature", signature)],
      body: Array(body.utf8))
    return hook.isSigned(request, now: Self.example.time + seconds)
  }

  @Test func `Standard Webhooks sign the number, the time and the body`() throws {
    #expect(try isSigned())
    #expect(try isSigned(after: 299))
    #expect(try isSigned(signature: "v1a,x v1,AAAA " + Self.example.signature))
    #expect(try !isSigned(after: 300))
    #expect(try !isSigned(after: -300))
    #expect(try !isSigned(id: "msg_other"))
    #expect(try !isSigned(body: "{}"))
    #expect(try !isSigned(signature: "v1,AAAA"))
    #expect(try !isSigned(signature: ""))
  }

  @Test(arguments: ["whsec_", "whsec_a", "whsec_a===", "whsec_ab=c", ""])
  func `a secret of Standard Webhooks is Base64`(secret: String) {
    #expect(webhook("Webhook-Signature", secret) == nil)
    #expect(webhook("X-Hub-Signature-256", secret) != nil)
  }

  @Test func `GitLab sends the secret itself`() throws {
    let hook = try #require(webhook("X-Gitlab-Token", "secret"))
    func request(_ token: String) -> HTTPRequest {
      HTTPRequest(method: "POST", path: "/hooks/h", headers: [("x-gitlab-token", token)])
    }
    #expect(hook.isSigned(request("secret"), now: 0))
    #expect(!hook.isSigned(request("secre"), now: 0))
    #expect(!hook.isSigned(request(""), now: 0))
    #expect(!hook.isSigned(HTTPRequest(method: "POST", path: "/hooks/h"), now: 0))
  }
}
