extension Route {
  static let showPage = page(
    "/", .html, "Show the page: the graphs with their current values.",
    parameters: [.query("kiosk", "show a view alone, as on a tablet; for the page")])
  static let showPageStyle = page("/page.css", .css, "The style sheet of the page.")
  static let showPageProgram = page("/page.js", .javaScript, "The script of the page.")

  /// Creates the route of a file of the page, which contains nothing confidential.
  private static func page(
    _ path: String, _ file: PageFile, _ summary: String, parameters: [RouteParameter] = []
  ) -> Route {
    Route(
      methods: ["GET"], path: path, summary: summary, access: .open, parameters: parameters,
      answers: [Answer(status: 200, doc: "the file", type: file.mediaType)], ignoresUnknown: true
    ) { call throws(Problem) in
      call.respond(
        HTTPResponse(
          200, headers: [("Content-Type", file.mediaType), ("Content-Security-Policy", policy)], body: file.bytes))
    }
  }

  /// Nothing is loaded from or sent to other sites, and no other page may embed it in a frame.
  private static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; "
    + "form-action 'none'; frame-ancestors 'none'"
}
