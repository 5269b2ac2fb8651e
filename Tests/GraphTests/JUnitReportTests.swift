import GraphTools
import Testing

struct JUnitReportTests {
  @Test func `outcomes are written as CI systems read them`() throws {
    var report = JUnitReport()
    let outcomes = try GraphTestTests.outcomes(
      "raw: {input: {}}",
      "[{name: 'holds <&>', given: {raw: '1'}, expect: {raw: '1'}}, {name: not, given: {raw: '1'}, expect: {raw: '2'}}]"
    )
    for outcome in outcomes { report.add(outcome, taking: .microseconds(1_500_042)) }
    report.add(unusable: "a&b.yaml", "a&b.yaml:1:1: error: …")
    #expect(
      report.xml == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites tests="3" failures="1" errors="1" time="3.000084">
          <testsuite name="test.yaml" tests="2" failures="1" errors="0" time="3.000084">
            <testcase name="holds &lt;&amp;&gt;" classname="g" file="test.yaml" line="6" time="1.500042"/>
            <testcase name="not" classname="g" file="test.yaml" line="6" time="1.500042">
              <failure message="raw: at 0s: expected 2, found 1">test.yaml:6:118&#10;raw&#10;expected  2&#10;actual    1&#10;          ^&#10;at 0s: expected 2, found 1</failure>
            </testcase>
          </testsuite>
          <testsuite name="a&amp;b.yaml" tests="1" failures="0" errors="1" time="0.000000">
            <testcase name="is right" classname="a&amp;b.yaml" file="a&amp;b.yaml" time="0.000000">
              <error message="invalid configuration">a&amp;b.yaml:1:1: error: …</error>
            </testcase>
          </testsuite>
        </testsuites>

        """)
  }
}
