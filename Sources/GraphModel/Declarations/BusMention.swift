/// An item on a bus that a declaration names, with the places of the names, for checks that it exists.
package struct BusMention: Sendable {
  /// A name and its place.
  package struct Word: Sendable {
    package let text: String
    package let place: Extent

    package init(_ text: String, at placed: some Placed) {
      self.text = text
      place = Extent(placed)
    }
  }

  package enum Use: Sendable {
    /// Watched properties.
    ///
    /// - Parameters:
    ///   - isPolled: True if they are read at intervals.
    ///   - isWritten: True if values are sent to them.
    ///   - type: The declared type.
    case properties([Word], isPolled: Bool, isWritten: Bool, type: Word?)
    /// A signal, with the numbers of the matched arguments.
    case signal(Word, arguments: [(number: Int, place: Extent)])
    /// A method, and the types of its arguments.
    case method(Word, signature: Word)
    /// A unit of systemd; its properties are known to the daemon.
    case unit(Word)
  }

  package let bus: BusChoice
  package let name: Word
  package let path: Word
  package let interface: Word
  package let use: Use
  /// The place that requests bytes as text.
  package let textBytes: Extent?

  package init(bus: BusChoice, name: Word, path: Word, interface: Word, use: Use, textBytes: Extent?) {
    self.bus = bus
    self.name = name
    self.path = path
    self.interface = interface
    self.use = use
    self.textBytes = textBytes
  }

  package var object: BusObject { BusObject(bus: bus, name: name.text, path: path.text) }

  private var places: [Extent] {
    let own = [name.place, path.place, interface.place] + (textBytes.map { [$0] } ?? [])
    return switch use {
    case .properties(let words, _, _, let type): own + words.map(\.place) + (type.map { [$0.place] } ?? [])
    case .signal(let word, let arguments): own + [word.place] + arguments.map(\.place)
    case .method(let word, let signature): own + [word.place, signature.place]
    case .unit(let word): own + [word.place]
    }
  }

  /// True if a part of it is known only where the configuration will run.
  package func isOpen(_ references: [OpenReference]) -> Bool {
    places.contains { extent in
      extent.place.origin === PlaceOrigin.open || references.contains { $0.place == extent.place }
    }
  }
}

extension ConfigNode {
  /// Returns a word of a source or an action; its parameters are in a mapping, or a single scalar.
  package func word(_ key: String, _ text: String) -> BusMention.Word { BusMention.Word(text, at: self[key] ?? self) }
}
