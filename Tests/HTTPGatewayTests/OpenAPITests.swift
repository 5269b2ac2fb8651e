import JSON
import Testing
import WireProtocol

@testable import HTTPGateway

/// The API description, which is generated from the routes themselves.
@Suite struct OpenAPITests {
  private let document = OpenAPIDocument.value(of: Routes.all)

  @Test func `each route and method is described once, under a name of its own`() {
    var names: [String] = []
    for path in document.members.object("paths").members {
      for (method, operation) in path.value.members.members.map({ ($0.key, $0.value) }) where method != "parameters" {
        names.append(operation.members.text("operationId"))
        #expect(!operation.members.text("summary").isEmpty)
        #expect(operation.members.object("responses")["default"] != nil)
      }
      #expect(path.key.contains("{name}") == (path.value.members["parameters"] != nil))
    }
    #expect(Set(names).count == names.count)
    #expect(names.count == Routes.all.map(\.methods.count).reduce(0, +))
  }

  @Test func `parameters are in the protocol's words`() {
    let events = document.members.object("paths").object("/events").object("get")
    guard case .array(let parameters)? = events["parameters"] else { return #expect(Bool(false), "there are none") }
    let condition = parameters.first { $0.members.text("name") == "where" }
    let field = SubscribeRequest.fields.first { $0.name == "where" }
    #expect(field.map { condition?.members.text("description").hasPrefix($0.doc) } == true)
  }

  @Test func `codes of problems are those of the protocol or of the gateway`() {
    let known = Set(ErrorCode.allCases.map(\.rawValue) + ["unavailable", "not_found", "bad_signature"])
    for route in Routes.all { #expect(known.isSuperset(of: route.problems), "\(route.path)") }
  }

  @Test func `each code has a status of its own kind`() {
    for code in ErrorCode.allCases {
      #expect(
        400..<600 ~= code.httpStatus && HTTPStatus.phrase(of: code.httpStatus).first != "S" || code.httpStatus == 503)
    }
  }
}
