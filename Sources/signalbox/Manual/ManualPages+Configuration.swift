internal import GraphTools
internal import Linux

extension ManualPages {
  /// The manual page signalbox.yaml(5), generated from the schema and the catalogue of operators.
  static var configuration: ManualPage {
    var page = ManualPage("signalbox.yaml", section: 5, "the configuration of signalboxd")
    addForm(to: &page)
    page.section("SERVER")
    page.items(KeyExplanation.server.map { ($0.name, $0.meaning) })
    page.section("GRAPHS")
    page.paragraph("A graph has signals, actions and tests by their names, and any of these keys.")
    page.items(KeyExplanation.graph.map { ($0.name, $0.meaning) })
    page.section("SIGNALS")
    page.paragraph(
      """
      A signal has exactly one source, perhaps a pipe of operators, and any of these keys. Where a signal is expected \
      there may be a name or a declaration on the spot.
      """)
    page.items(KeyExplanation.traits.map { ($0.name, $0.meaning) })
    page.section("SOURCES")
    for word in WordExplanation.all where !word.isOperator { add(word, to: &page) }
    page.section("OPERATORS")
    for word in WordExplanation.all where word.isOperator { add(word, to: &page) }
    addRest(to: &page)
    return page
  }

  private static func addForm(to page: inout ManualPage) {
    page.section("DESCRIPTION")
    page.paragraph(
      """
      YAML 1.2, core schema; a file that ends in .json is JSON. Files of conf.d beside it that end in .yaml or .json are \
      read after it, in the order of their names: the settings of server merge, the later ones win, and a graph may \
      span files. signalbox check reports every error in one.
      """)
    page.code(
      """
      signalbox: 1
      graphs:
        climate:
          signals:
            raw:
              input: {type: number}
            limit:
              property: {initial: 25, type: number}
            alarm:
              combine: {t: raw, limit: limit}
              pipe:
                - map: .t > .limit
                - skip_repeats
                - debounce: 2s
                - skip_repeats
              hold: true
      """)
    page.paragraph(
      """
      Expressions are those of jq(1). Durations are written 250ms, 2s, 1m30s, 1h; sizes 64KiB, 1MiB. In values, ${VAR}, \
      ${VAR:-default}, ${VAR:?message}, ${file:/path} and ${cred:name} are replaced; $${ stands for ${ itself.
      """)
  }

  private static func add(_ word: WordExplanation, to page: inout ManualPage) {
    page.subsection(word.name)
    page.paragraph(word.summary)
    page.code(word.forms.joined(separator: "\n"))
    page.items(word.parameterMeanings)
  }

  private static func addRest(to page: inout ManualPage) {
    page.section("TESTS")
    page.paragraph("The tests of a graph are a list, which signalbox test runs in virtual time.")
    page.items(KeyExplanation.test.map { ($0.name, $0.meaning) })
    page.section("FILES")
    page.item(ConfigurationFiles.defaultPath, "The file that signalboxd reads, unless --config is given.")
    page.item("/etc/signalbox/conf.d/", "The directory of additional files, read after it.")
    page.section("SEE ALSO")
    page.paragraph("signalbox(1), signalboxd(8), jq(1)")
  }
}
