internal import Linux

/// The filter and order of signals in `top`, which the keys change.
struct TopView {
  var order = TopOrder()
  /// The text that the names of the shown signals contain.
  private(set) var filter = ""
  /// True while keys edit the filter.
  private(set) var isTyping = false
  private var scrolling = Scrolling()
  /// The number of signals above the first visible one.
  var first: Int { scrolling.first }

  static let longestFilter = 100
  private static let keys = KeyHelp("q quit", "↑↓ PgUp PgDn scroll", "←→ sort", "r reverse", "/ filter")

  /// Returns the signals that match the filter, in order.
  func chosen(_ activities: [Activity]) -> [Activity] {
    order.sorted(filter.isEmpty ? activities : activities.filter { $0.name.lowercased().contains(filter.lowercased()) })
  }

  /// Handles a key.
  ///
  /// - Parameter page: The number of signals that fit.
  /// - Returns: `true` to end the program.
  mutating func press(_ key: Key, page: Int) -> Bool {
    if isTyping {
      type(key)
      return false
    }
    switch key {
    case .character("q"): return true
    case .character("/"): isTyping = true
    case .character("r"): sort { $0.isReversed.toggle() }
    case .left, .character("<"): sort { $0.move(by: -1) }
    case .right, .character(">"): sort { $0.move(by: 1) }
    case .escape: filter = ""
    default: scrolling.press(key, page: max(1, page))
    }
    return false
  }

  /// Changes the order, and scrolls to the top.
  private mutating func sort(_ change: (inout TopOrder) -> Void) {
    change(&order)
    scrolling.moveToStart()
  }

  private mutating func type(_ key: Key) {
    switch key {
    case .enter: isTyping = false
    case .escape:
      filter = ""
      isTyping = false
    case .backspace:
      if filter.isEmpty { isTyping = false } else { filter.removeLast() }
    case .character(let character) where filter.count < Self.longestFilter: filter.append(character)
    default: break
    }
    scrolling.moveToStart()
  }

  /// Scrolls back if the view is beyond the end.
  mutating func keepWithin(_ count: Int, page: Int) { scrolling.limit(to: count, page: page) }

  /// Returns the line below the table: the filter, otherwise the meaning of the keys.
  ///
  /// - Parameter place: The signals that are seen, if not all of them.
  func footer(behind place: String, width: Int) -> String {
    if isTyping {
      let typed = place.isEmpty ? "/\(filter.visible)▏" : "\(place)   /\(filter.visible)▏"
      return String(typed.suffix(max(1, width)))
    }
    return filter.isEmpty
      ? Self.keys.line(behind: place, width: width)
      : KeyHelp("/\(filter.visible)", "esc clears the filter").line(behind: place, width: width)
  }
}
