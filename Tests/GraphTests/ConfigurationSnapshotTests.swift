import GraphModel
import Testing

struct ConfigurationSnapshotTests {
  @Test func `each of ten errors in a file is reported`() throws {
    let text = """
      signalbox: 1
      server:
        socket: {path: /run/signalbox.sock, mode: 660}
        limit: {line: 1MiB}
        limits:
          line: 1MB
          conections: 5
          unfinished: 30
          depth: ${DEPTH}
        log: {level: inof, level: debug}
      graphs:
        climate: {}
        living room: {}
      graph: {}
      """
    let found = try ConfigurationWorld(files: ["/f.yaml": text]).load(.alone("/f.yaml")).found
    #expect(found == Self.tenMistakes)
  }

  private static let tenMistakes = """
    /f.yaml:3:45: error: expected permissions in octal, such as "0660", found the number 660
        socket: {path: /run/signalbox.sock, mode: 660}
                                                  ^~~
    /f.yaml:4:3: error: unknown key "limit"; did you mean "limits"?
        limit: {line: 1MiB}
        ^~~~~
    /f.yaml:6:11: error: expected a size such as 4096, 64KiB or 1MiB, found "1MB"; did you mean "1MiB"?
          line: 1MB
                ^~~
    /f.yaml:7:5: error: unknown key "conections"; did you mean "connections"?
          conections: 5
          ^~~~~~~~~~
    /f.yaml:8:17: error: expected a duration such as 250ms, 2s or 1m30s, found the number 30; did you mean "30s"?
          unfinished: 30
                      ^~
    /f.yaml:9:12: error: the environment variable DEPTH is not set; "${DEPTH:-…}" gives it a default
          depth: ${DEPTH}
                 ^~~~~~~~
    /f.yaml:10:16: error: expected one of error, warning, notice, info, debug, found "inof"; did you mean "info"?
        log: {level: inof, level: debug}
                     ^~~~
    /f.yaml:10:22: error: duplicate key "level"
        log: {level: inof, level: debug}
                           ^~~~~
    /f.yaml:10:9: note: first given here
        log: {level: inof, level: debug}
              ^~~~~
    /f.yaml:13:3: error: invalid name "living room": use letters, digits, "_" and "-"
        living room: {}
        ^~~~~~~~~~~
    /f.yaml:14:1: error: unknown key "graph"; did you mean "graphs"?
      graph: {}
      ^~~~~

    """
}
