import Foundation
import Testing

/// The command `check` beside the service: the settings that it checks, and those that it leaves open.
struct UnitTests {
  private static let open = """
    signalbox: 1
    graphs:
      g:
        signals:
          a: {exec: [curl, -H, "Bearer ${cred:token}"]}
          b: {interval: "${EVERY:?how often}"}
          c: {from: b, pipe: [{debounce: "${PAUSE:?how long}"}]}
          d: {combine: [b, c]}
        tests: [{name: t, given: {b: "1-"}, expect: {c: "1-"}}]
    """

  @Test func `what only the daemon can see is left open, with a note`() throws {
    let file = try TemporaryFile(Self.open)
    let result = try Client.run("check", file.path)
    #expect(result.status == 0)
    #expect(result.output == "\(file.path): no errors in what can be checked here\n")
    let notes = result.errors.split(separator: "\n").filter { $0.contains(": note: ") }
    #expect(
      notes == [
        "\(file.path):5:28: note: ${cred:token} not checked: only the service has it (LoadCredential=token)",
        "\(file.path):6:21: note: ${EVERY} not checked: the variable is not set here; the daemon needs it",
        "\(file.path):7:38: note: ${PAUSE} not checked: the variable is not set here; the daemon needs it",
      ])
    #expect(!result.errors.contains("error"))
    let json = try Client.run("check", "--format", "json", file.path)
    #expect(json.status == 0 && json.output.contains(#"{"severity":"note","file":"#))
  }

  @Test func `what is set is looked at`() throws {
    let file = try TemporaryFile(Self.open)
    let given = ["CREDENTIALS_DIRECTORY": "/nowhere", "EVERY": "2s", "PAUSE": "soon"]
    let result = try Client.run("check", file.path, environment: given)
    #expect(result.status == 78)
    #expect(result.errors.contains(":5:28: error: cannot read /nowhere/token: No such file or directory\n"))
    #expect(result.errors.contains(":7:38: error: expected a duration"))
  }

  @Test func `an error beside what is left open is still an error`() throws {
    let file = try TemporaryFile(Self.open + "\n    e: {from: nowhere}\n")
    #expect(try Client.run("check", file.path).status == 78)
  }

  @Test func `the daemon leaves nothing open`() throws {
    let file = try TemporaryFile(Self.open)
    let result = try Client.run(program: Client.daemonPath, ["--check", "--config", file.path])
    #expect(result.status == 78)
    #expect(result.errors.contains("error: no credential \"token\""))
  }

  @Test func `an unknown group of the socket is an error, an unknown name in a rule a warning`() throws {
    let file = try TemporaryFile(
      """
      signalbox: 1
      server: {socket: {group: no-such-group}}
      graphs: {g: {access: {send: ["@no-such-group", root]}, signals: {a: {input: {}}}}}
      """)
    for result in [
      try Client.run("check", file.path), try Client.run(program: Client.daemonPath, ["--config", file.path]),
    ] {
      #expect(result.status == 78)
      #expect(result.errors.contains(#":2:26: error: no group "no-such-group" on this machine"#))
      #expect(result.errors.contains(#":3:30: warning: unknown user or group @no-such-group"#))
    }
    #expect(try Client.run("graph", file.path).status == 0)
  }

  @Test func `what the service has to be allowed is printed as a drop-in`() throws {
    let folder = try UnitFolder()
    let unit = try folder.check(
      """
      graphs:
        g:
          signals:
            load: {file: /proc/loadavg, every: 1s}
            out: {file: /var/lib/signalbox/states/out, write: true}
            own: {file: "${CACHE_DIRECTORY}/own", write: true}
            new: {file: /var/lib/no-such-folder/new, write: true}
            there: {file: /usr/share/there, write: true}
            days: {file: {folder: /srv, name: ., append: true}}
            note: {file: /home/someone/note}
            log: {journal: nginx.service}
            both: {merge: [{exec: [uptime]}, {tail: /home/someone/log}]}
            from: {exec: [curl, "${SITE}", "${cred:token}"]}
          actions:
            fan: {exec: [fan]}
      """)
    #expect(unit.status == 0)
    #expect(
      unit.output.replacing(folder("c.yaml"), with: "FILE") == """
        # Programs are run (g.both, g.from, g.fan): install the shipped exec.conf beside this file.
        [Service]
        # g.out writes /var/lib/signalbox/states/out.
        StateDirectory=signalbox/states
        # g.new writes /var/lib/no-such-folder/new.
        StateDirectory=no-such-folder
        # g.there writes /usr/share/there.
        ReadWritePaths=/usr/share
        # g.days writes below /srv.
        ReadWritePaths=/srv
        # g.note reads /home/someone/note.
        ProtectHome=read-only
        # g.log reads the journal (the shipped journal.conf).
        SupplementaryGroups=systemd-journal
        # FILE:7:19 reads ${CACHE_DIRECTORY}.
        CacheDirectory=signalbox
        # FILE:14:27 reads ${SITE}, which has no known value.
        #Environment=SITE=
        # FILE:14:38 reads ${cred:token}.
        LoadCredential=token:/etc/signalbox/credentials/token

        """)
    #expect(unit.errors.contains("note: signalbox.service is not installed here"))
    #expect(try folder.check("graphs: {}").output.hasSuffix("needs nothing beyond the shipped unit.\n"))
    #expect(try Client.run("check", "--unit", "--format", "json", folder("c.yaml")).status == 64)
  }

  @Test func `the system bus needs nothing, and what is out of reach of the service is reported`() throws {
    let folder = try UnitFolder()
    let place = "name: org.a.B, path: /a, interface: org.a.I"
    let unit = try folder.check(
      """
      graphs:
        g:
          signals:
            p: {dbus: {\(place), property: P}}
            web: {unit: nginx.service}
            own: {unit: {name: sync.service, bus: session}}
            other: {dbus: {bus: "unix:path=/home/x/bus,guid=00", \(place), signal: S}}
            far: {dbus: {bus: "tcp:host=h,port=1", \(place), signal: S}}
          actions:
            call: {dbus: {bus: session, \(place), method: M}}
      """)
    #expect(unit.status == 0)
    #expect(
      unit.output == """
        # The session bus (g.own, g.call) belongs to a user: only a service of that user can reach it.
        # g.far is on the bus at tcp:host=h,port=1: the unit allows only Unix sockets.
        [Service]
        # g.other is on the bus at /home/x/bus.
        ProtectHome=read-only

        """)
    #expect(
      try folder.check("graphs: {g: {signals: {p: {dbus: {\(place), property: P}}}}}").output
        .hasSuffix("needs nothing beyond the shipped unit.\n"))
  }

  @Test(
    arguments: [
      // The unit provides it already, installed or not.
      (unit: nil, state: nil, needs: nil), (unit: "StateDirectory=signalbox", state: nil, needs: nil),
      (unit: "StateDirectory=signalbox", state: "/var/lib/signalbox", needs: nil),
      (unit: "User=signalbox", state: nil, needs: "# g, h are durable.\nStateDirectory=signalbox"),
      (
        unit: nil, state: "/var/lib/signalbox/graphs",
        needs: "# server.state is /var/lib/signalbox/graphs.\nStateDirectory=signalbox/graphs"
      ),
      (unit: nil, state: "/usr/share", needs: "# server.state is /usr/share.\nReadWritePaths=/usr/share"),
    ] as [(unit: String?, state: String?, needs: String?)])
  func `durable graphs need a folder that the service may write to`(
    unit: String?, state: String?, needs: String?
  ) throws {
    let folder = try UnitFolder()
    if let unit { try folder.write("[Service]\n\(unit)\n", to: "signalbox.service") }
    let server = state.map { "server: {state: \($0)}\n" } ?? ""
    let found = try folder.check(server + "graphs: {g: {durable: true}, h: {durable: {sync: 1s}}, i: {}}")
    #expect(found.status == 0)
    if let needs {
      #expect(found.output == "[Service]\n\(needs)\n")
    } else {
      #expect(found.output.contains("needs nothing beyond"))
    }
  }

  @Test(arguments: ["\n", "\r\n"]) func `units and files of environments are read whatever ends their lines`(
    lineEnd: String
  ) throws {
    let folder = try UnitFolder()
    let unit = ["[Service]", "StateDirectory=\\", "signalbox", "EnvironmentFile=\(folder("env"))", ""]
    try folder.write(unit.joined(separator: lineEnd), to: "signalbox.service")
    try folder.write(["# sites", "OTHER=1", "SITE=example.org", ""].joined(separator: lineEnd), to: "env")
    let found = try folder.check(
      "graphs: {g: {durable: true, signals: {a: {from: b, doc: \"${SITE}\"}, b: {input: {}}}}}")
    #expect(found.status == 0 && found.output.contains("needs nothing beyond"), "\(found)")
  }

  @Test func `without a durable graph the folder of state is nothing to ask for`() throws {
    let folder = try UnitFolder()
    #expect(try folder.check("server: {state: /usr/share}\ngraphs: {g: {}}").output.contains("needs nothing beyond"))
  }

  @Test func `a missing folder that systemd does not create is reported`() throws {
    let folder = try UnitFolder()
    let unit = try folder.check("graphs: {g: {signals: {a: {file: /srv/no-such-folder/a, write: true}}}}")
    #expect(unit.output.contains("# /srv/no-such-folder does not exist: create it"))
  }

  @Test func `what the unit gives is looked at, and not asked for again`() throws {
    let folder = try UnitFolder()
    try folder.write("EVERY=\"2s\"\n; a comment\nPAUSE = '3s'\n", to: "environment")
    try folder.write("hidden\n", to: "secret")
    try folder.write("[Service]\nEnvironment=EVERY=never PAUSE=never\n", to: "signalbox.service")
    try folder.write(
      """
      [Service]
      # EnvironmentFile=/nowhere/commented
      EnvironmentFile=-/nowhere/missing
      EnvironmentFile=\(folder("environment"))
      Environment="SITE=a b" \\
        OTHER=c
      LoadCredential=token:\(folder("secret"))
      SetCredential=count:12
      StateDirectory=signalbox
      MemoryDenyWriteExecute=no
      """, to: "signalbox.service.d/a.conf")
    let unit = try folder.check(
      """
      graphs:
        g:
          signals:
            a: {interval: "${EVERY}"}
            b: {interval: "${PAUSE}"}
            c: {exec: [curl, "${SITE}", "${OTHER:?}", "${cred:token}"]}
            d: {file: "${STATE_DIRECTORY}/d", write: true}
            e:
              property:
                initial: ${cred:count}
                type: integer
      """)
    #expect(unit.errors == "")
    #expect(unit.output == "# \(folder("c.yaml")) needs nothing beyond \(folder("signalbox.service")).\n")
  }

  @Test func `an instance has the unit of its template, and folders of its own`() throws {
    let folder = try UnitFolder()
    try folder.write(
      "[Service]\nEnvironment=ROOM=%i\nRuntimeDirectory=signalbox-%i\n", to: "signalbox@.service")
    try folder.write("[Service]\nEnvironment=EVERY=2s\n", to: "signalbox@kitchen.service.d/a.conf")
    try folder.write("[Service]\nEnvironment=EVERY=never\n", to: "signalbox@hall.service.d/b.conf")
    try folder.write(
      """
      signalbox: 1
      graphs:
        g:
          signals:
            a: {interval: "${EVERY}"}
            b: {value: "${ROOM}"}
            c: {file: /run/signalbox-kitchen/c, write: true}
            d: {file: "${STATE_DIRECTORY}/d", write: true}
            e: {value: "${cred:token}"}
      """, to: "c.yaml")
    let unit = try Client.run(
      "check", "--unit", "--instance", "kitchen", folder("c.yaml"), environment: ["SYSTEMD_UNIT_PATH": folder.path])
    #expect(
      unit.output.split(separator: "\n").filter { !$0.hasPrefix("#") } == [
        "[Service]", "StateDirectory=signalbox-kitchen",
        "LoadCredential=token:/etc/signalbox/kitchen/credentials/token",
      ])
    #expect(!unit.errors.contains("error"))
    #expect(try Client.run("check", "--instance", "kitchen", folder("c.yaml")).status == 64)
  }

  @Test(arguments: ["", "a/../b", "a b", "ä", "a\n", String(repeating: "a", count: 240)])
  func `a name that systemd does not take is refused`(instance: String) throws {
    let folder = try UnitFolder()
    try folder.write("signalbox: 1\ngraphs: {}\n", to: "c.yaml")
    let refused = try Client.run("check", "--unit", "--instance", instance, folder("c.yaml"))
    #expect(refused.status == 64)
    #expect(
      refused.errors.hasPrefix(
        "signalbox: --instance must be a systemd instance name of ASCII letters, digits and :-_.\\@"))
    #expect(try Client.run("check", "--unit", "--instance", "a-b_c.d:e\\x20@f", folder("c.yaml")).status == 0)
  }

  @Test func `a missing file of the unit is reported, and so is a socket unit that differs`() throws {
    let folder = try UnitFolder()
    try folder.write("[Service]\nEnvironmentFile=/nowhere/missing\n", to: "signalbox.service")
    try folder.write(
      "[Socket]\nListenStream=/run/other.sock\nSocketMode=0600\nSocketGroup=users\n", to: "signalbox.socket")
    let configuration = "server: {socket: {group: root}}"
    let alone = try folder.check(configuration)
    #expect(alone.errors == "note: EnvironmentFile=/nowhere/missing skipped: No such file or directory\n")
    #expect(alone.output.contains("# server.socket.group is root.\nSupplementaryGroups=root\n"))
    try folder.write("", to: "sockets.target.wants/signalbox.socket")
    let unit = folder("signalbox.socket")
    let enabled = try folder.check(configuration)
    #expect(
      enabled.errors.split(separator: "\n").dropFirst() == [
        "warning: \(unit) has ListenStream=/run/other.sock, which overrides server.socket.path (/run/signalbox/signalbox.sock)",
        "warning: \(unit) has SocketMode=0600, which overrides server.socket.mode (0660)",
        "warning: \(unit) has SocketGroup=users, which overrides server.socket.group (root)",
      ])
    #expect(!enabled.output.contains("SupplementaryGroups"))
  }
}
