extension Route {
  static let describeGateway = Route(
    methods: ["GET"], path: "/openapi.json", summary: "Describes these ways in, as OpenAPI 3.1 has it.",
    access: .everybody,
    answers: [Answer(status: 200, doc: "the description", type: "application/json")]
  ) { call throws(Problem) in call.respond(200, OpenAPIDocument.value(of: Routes.all)) }
}
