import Testing

struct ExpansionTests {
  private static let file = """
    signalbox: 1
    templates: {t: {parameters: {n: , limit: 5}, signals: {"${n}": {input: {}, pipe: [filter: . > $limit]}}}}
    graphs: {g: {use: {t: [a, {n: b, limit: 7}]}}}

    """

  @Test func `what templates stand for is printed, and can be checked again`() throws {
    let file = try TemporaryFile(Self.file)
    let result = try Client.run("check", "--expand", file.path)
    #expect(
      result.output == """
        signalbox: 1
        graphs:
          g:
            signals:
              a:
                input: {}
                pipe:
                  - {filter: 5 as $limit | . > $limit}
              b:
                input: {}
                pipe:
                  - {filter: 7 as $limit | . > $limit}

        """)
    #expect(result.status == 0 && result.errors.isEmpty)
    let again = try TemporaryFile(result.output)
    #expect(try Client.run("check", again.path).output == "\(again.path): 1 graph, 2 signals, no errors\n")
    #expect(try Client.run("check", "--expand", again.path).output == result.output)
  }

  @Test func `nothing is printed of a configuration with errors`() throws {
    let file = try TemporaryFile(Self.file.replacing("limit: 7", with: "limt: 7"))
    let result = try Client.run("check", "--expand", file.path)
    #expect(result.status == 78 && result.output.isEmpty)
    #expect(result.errors.contains(#"template "t" has no parameter "limt"; did you mean "limit"?"#))
  }

  @Test(arguments: [["--format", "json"], ["--unit"], ["--against", "/"]])
  func `only one thing is printed at a time`(options: [String]) throws {
    let file = try TemporaryFile(Self.file)
    #expect(try Client.run(["check", "--expand"] + options + [file.path]).status == 64)
  }
}
