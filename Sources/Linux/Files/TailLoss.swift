/// The reason for possibly lost lines of a followed file.
package struct TailLoss: Equatable, Sendable {
  package enum Reason: Equatable, Sendable {
    /// The file is shorter than the part that was read.
    case truncated
    /// The content that was read has changed.
    case rewritten
    /// The file is gone, or its number was reused.
    case gone
  }

  package let reason: Reason
  /// The number of bytes read.
  package let offset: Int64
  /// The number of these that belong to an incomplete line, if known; that line is dropped.
  package let unfinished: Int?
}

extension TailLoss: CustomStringConvertible {
  package var description: String {
    let event =
      switch reason {
      case .truncated: "the file was truncated"
      case .rewritten: "the file was rewritten"
      case .gone: "the file was removed"
      }
    let rest = unfinished.map { $0 > 0 ? ", including an incomplete line (\($0) bytes)" : "" } ?? ""
    return "\(event) after \(offset) bytes were read; unread lines are lost\(rest)"
  }
}
