internal import HTTPServer

extension Route {
  static let showPage = page("/", .html, "Shows the page: the graphs with their present values.")
  static let showPageStyle = page("/page.css", .css, "The page's style.")
  static let showPageProgram = page("/page.js", .javaScript, "The page's program.")

  /// A file of the page; there is nothing in it to be kept from anybody.
  private static func page(_ path: String, _ file: PageFile, _ summary: String) -> Route {
    Route(
      methods: ["GET"], path: path, summary: summary, access: .everybody,
      answers: [Answer(status: 200, doc: "the file", type: file.mediaType)]
    ) { call throws(Problem) in
      call.respond(
        HTTPResponse(
          200, headers: [("Content-Type", file.mediaType), ("Content-Security-Policy", policy)], body: file.bytes))
    }
  }

  /// Nothing comes from elsewhere, nothing goes elsewhere, and no other page may have it in a frame.
  private static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; "
    + "form-action 'none'; frame-ancestors 'none'"
}
