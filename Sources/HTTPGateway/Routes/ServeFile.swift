internal import GraphModel
internal import Linux
internal import WireProtocol

extension Route {
  static let serveFile = Route(
    methods: ["GET"], path: "/static/{path}", summary: "Return a file of the folder given by --static.",
    access: .open, parameters: [.header("If-None-Match", "the ETag of the known file")],
    answers: [
      Answer(status: 200, doc: "the file; index.html for a folder", type: "*/*"),
      Answer(status: 304, doc: "the file is unchanged"),
      Answer(status: 308, doc: "a folder is meant: its path ends with /"),
    ],
    problems: ["not_found", "too_long"], matchesRest: true
  ) { call throws(Problem) in
    guard let folder = call.context.pages else { throw .notFound(call.request.path) }
    let isFolder = call.name.isEmpty || call.name.hasSuffix("/")
    let name = isFolder ? call.name + "index.html" : call.name
    let found: ServedFile.Found
    do throws(FileError) { found = try folder.read(name) } catch {
      throw Problem(500, ErrorCode.internal.rawValue, "cannot read a file of --static: \(error)")
    }
    switch found {
    case .nothing: throw .notFound(call.request.path)
    case .tooLong:
      throw Problem(500, ErrorCode.tooLong.rawValue, "the file exceeds \(StaticFolder.longestFile) bytes")
    case .folder:
      if isFolder { throw .notFound(call.request.path) }
      // Relative, as a proxy may serve this under another path.
      let last = name.split(separator: "/").last.map(String.init) ?? ""
      call.respond(HTTPResponse(308, headers: [("Location", "./\(last.encodedForAddress)/")]))
    case .file(let file): call.respond(file, named: name)
    }
  }
}

extension RouteCall {
  fileprivate func respond(_ file: ServedFile, named name: String) {
    let tag = "\"\(file.version)\""
    let headers: [HTTPResponse.Header] = [("ETag", tag), ("Cache-Control", "no-cache")]
    if request.knownTags.contains(where: { $0 == "*" || $0 == tag }) {
      return respond(HTTPResponse(304, headers: headers))
    }
    respond(
      HTTPResponse(
        200, headers: headers + [("Content-Type", StaticFolder.mediaType(of: name))], body: file.content))
  }
}

extension String {
  /// The text with percent encodings, as a segment of a path.
  fileprivate var encodedForAddress: String {
    String(decoding: utf8.flatMap { $0.isUnreserved ? [$0] : $0.percentEncoded }, as: UTF8.self)
  }
}
