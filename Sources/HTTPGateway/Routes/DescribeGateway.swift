extension Route {
  static let describeGateway = Route(
    methods: ["GET"], path: "/openapi.json", summary: "Describe this API as OpenAPI 3.1.",
    access: .open,
    answers: [Answer(status: 200, doc: "the description", type: "application/json")]
  ) { call throws(Problem) in call.respond(200, OpenAPIDocument.value(of: Routes.all)) }
}
