internal import CPage

/// The files of the page, which are compiled into the program.
enum PageFile {
  case html
  case css
  case javaScript

  var bytes: [UInt8] {
    let file =
      switch self {
      case .html: cpage_html
      case .css: cpage_css
      case .javaScript: cpage_js
      }
    return Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
  }

  var mediaType: String {
    switch self {
    case .html: "text/html; charset=utf-8"
    case .css: "text/css; charset=utf-8"
    case .javaScript: "text/javascript; charset=utf-8"
    }
  }
}
