internal import GraphModel
internal import Linux

/// A drop-in that extends the unit of the service by what a configuration needs.
struct UnitDropIn {
  private let unit: ServiceUnit
  private var comments: [String] = []
  private var settings: [String] = []

  init(for configuration: Configuration, of path: String, in unit: ServiceUnit, behind socket: SocketUnit?) {
    self.unit = unit
    for (need, users) in configuration.outsideNeeds {
      let names = users.joined(separator: ", ")
      switch need {
      case .program:
        if !unit.has("MemoryDenyWriteExecute", "no") {
          comments.append("# Programs are run (\(names)): install the shipped exec.conf beside this file.")
        }
      case .bus(let bus): addBus(bus, of: names)
      case .reading(let path): addReading(of: path, by: names)
      case .journal: addJournal(for: names)
      // The service of the adapter has the network.
      case .connection, .machine: break
      case .writingBelow(let folder): add(settings(forWritingIn: folder), "\(names) writes below \(folder)")
      case .writing(let path): add(settings(forWriting: path), "\(names) writes \(path)")
      }
    }
    addState(of: configuration)
    for reference in configuration.openReferences { add(reference) }
    if socket == nil { addGroup(ofSocket: configuration.server.socket) }
    if comments.isEmpty, settings.isEmpty { comments = ["# \(path) needs nothing beyond \(unit.path)."] }
  }

  var lines: [String] { comments + (settings.isEmpty ? [] : ["[Service]"]) + settings }

  private mutating func add(_ new: [String], _ why: String) {
    let missing = new.filter { setting in
      let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return !settings.contains(setting) && !unit.has(String(parts[0]), String(parts[1]))
    }
    if !missing.isEmpty { settings += ["# \(why)."] + missing }
  }

  private mutating func add(_ reference: OpenReference) {
    switch reference.subject {
    case .credential(let name):
      add(
        ["LoadCredential=\(name):\(unit.name.configuration)/credentials/\(name)"],
        "\(reference.place) reads ${cred:\(name)}")
    case .variable(let name):
      if let folder = ServiceFolder.all.first(where: { $0.variable == name }) {
        add(["\(folder.setting)=\(unit.name.folder)"], "\(reference.place) reads ${\(name)}")
      } else {
        add(["#Environment=\(name)="], "\(reference.place) reads ${\(name)}, which has no known value")
      }
    case .file(let path): addReading(of: path, by: "\(reference.place)")
    }
  }

  /// Adds the state folder of durable graphs: the configured one, otherwise one from the unit.
  private mutating func addState(of configuration: Configuration) {
    let graphs = configuration.graphs.filter { $0.durability != nil }.map(\.name)
    if graphs.isEmpty { return }
    if let folder = configuration.server.state {
      add(settings(forWritingIn: folder), "server.state is \(folder)")
    } else if unit.words(of: "StateDirectory").isEmpty {
      let verb = graphs.count == 1 ? "is" : "are"
      add(["StateDirectory=\(unit.name.folder)"], "\(graphs.joined(separator: ", ")) \(verb) durable")
    }
  }

  /// Adds the group of a socket that the daemon creates: the daemon must be a member.
  private mutating func addGroup(ofSocket socket: SocketSettings) {
    guard let name = socket.group, let id = Accounts.groupID(named: name) ?? UInt32(name) else { return }
    if unit.groupIDs.contains(id) { return }
    add(["SupplementaryGroups=\(name)"], "server.socket.group is \(name)")
  }

  /// The system bus needs no setting: the unit allows Unix sockets.
  private mutating func addBus(_ bus: BusChoice, of names: String) {
    switch bus {
    case .system: break
    case .session:
      comments.append(
        "# The session bus (\(names)) belongs to a user: only a service of that user can reach it."
      )
    case .address(let address):
      for path in address.split(separator: ";").flatMap(Self.sockets) {
        add(settings(forReading: path), "\(names) is on the bus at \(path)")
      }
      if !address.hasPrefix("unix:") {
        comments.append("# \(names) is on the bus at \(address): the unit allows only Unix sockets.")
      }
    }
  }

  /// Returns the socket paths in a part of a D-Bus address.
  private static func sockets(in part: Substring) -> [String] {
    guard part.hasPrefix("unix:") else { return [] }
    return part.dropFirst("unix:".count).split(separator: ",").compactMap { pair in
      pair.hasPrefix("path=") ? String(pair.dropFirst("path=".count)) : nil
    }
  }

  /// Adds the right to read the system journal, which its group has.
  private mutating func addJournal(for names: String) {
    if let id = Accounts.groupID(named: "systemd-journal"), unit.groupIDs.contains(id) { return }
    add(["SupplementaryGroups=systemd-journal"], "\(names) reads the journal (the shipped journal.conf)")
  }

  private mutating func addReading(of path: String, by names: String) {
    add(settings(forReading: path), "\(names) reads \(path)")
    // For a pattern, only the directory of its files is known.
    let isPattern = path.contains { "*?[".contains($0) } && FilePermissions(path: path) == nil
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? path
    guard let file = FilePermissions(path: isPattern ? folder : path), file.mode & 0o004 == 0 else { return }
    if Accounts.userID(named: unit.user) == file.userID || unit.groupIDs.contains(file.groupID) { return }
    if file.mode & 0o040 != 0, file.groupID != 0 {
      add(["SupplementaryGroups=\(Accounts.groupName(of: file.groupID))"], "\(names) reads \(path)")
    } else {
      comments.append("# \(names) reads \(path): grant user \(unit.user) read permission.")
    }
  }

  /// The directories that the unit hides.
  private static let homes = ["/home/", "/root/", "/run/user/"]

  private func settings(forReading path: String) -> [String] {
    if Self.homes.contains(where: path.hasPrefix) { return ["ProtectHome=read-only"] }
    if path.hasPrefix("/tmp/") || path.hasPrefix("/var/tmp/") { return ["PrivateTmp=no"] }
    if path.hasPrefix("/dev/") { return ["PrivateDevices=no", "DeviceAllow=\(path) r"] }
    return []
  }

  private func isOwn(_ name: String) -> Bool {
    name == unit.name.folder || name.hasPrefix(unit.name.folder + "/")
  }

  private mutating func settings(forWriting path: String) -> [String] {
    let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    return settings(forWritingIn: parent.isEmpty ? "/" : parent)
  }

  private mutating func settings(forWritingIn folder: String) -> [String] {
    for known in ServiceFolder.all where folder.hasPrefix(known.root + "/") {
      let name = String(folder.dropFirst(known.root.utf8.count + 1))
      let given = unit.words(of: known.setting)
      if given.contains(name) { return [] }
      if given.contains(where: { name.hasPrefix($0 + "/") }), FilePermissions(path: folder) != nil { return [] }
      // The socket directory, which the shipped unit provides.
      if known.root == "/run", isOwn(name) { return [] }
      // systemd changes the owner of these to the daemon's user, so a directory of another user is left alone.
      if known.root != "/etc", isOwn(name) || FilePermissions(path: folder) == nil {
        return ["\(known.setting)=\(name)"]
      }
    }
    if FilePermissions(path: folder) == nil {
      comments.append(
        "# \(folder) does not exist: create it, owned by \(unit.user), or the service fails to start.")
    }
    let inside = folder + "/"
    return (Self.homes.contains(where: inside.hasPrefix) ? ["ProtectHome=no"] : settings(forReading: inside))
      + ["ReadWritePaths=\(folder)"]
  }
}
