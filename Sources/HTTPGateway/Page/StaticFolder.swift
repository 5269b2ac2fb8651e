internal import Linux

/// A folder with pages of one's own.
struct StaticFolder: Sendable {
  /// The maximum size of a file, in bytes.
  static let longestFile = 16 << 20

  let path: String

  func read(_ name: String) throws(FileError) -> ServedFile.Found {
    try ServedFile.read(name, below: path, limit: Self.longestFile)
  }

  /// Returns the media type of a file by the end of its name.
  static func mediaType(of name: String) -> String {
    guard let dot = name.lastIndex(of: "."), let type = types[name[name.index(after: dot)...].lowercased()] else {
      return "application/octet-stream"
    }
    return type
  }

  private static let types = [
    "html": "text/html; charset=utf-8", "htm": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8", "mjs": "text/javascript; charset=utf-8", "json": "application/json",
    "map": "application/json", "webmanifest": "application/manifest+json", "txt": "text/plain; charset=utf-8",
    "md": "text/markdown; charset=utf-8", "csv": "text/csv; charset=utf-8", "xml": "application/xml",
    "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif",
    "webp": "image/webp", "avif": "image/avif", "ico": "image/vnd.microsoft.icon", "woff": "font/woff",
    "woff2": "font/woff2", "ttf": "font/ttf", "otf": "font/otf", "wasm": "application/wasm", "pdf": "application/pdf",
    "mp3": "audio/mpeg", "ogg": "audio/ogg", "wav": "audio/wav", "mp4": "video/mp4", "webm": "video/webm",
  ]
}
