import Base
import Testing

@Suite struct `Hidden secrets` {
  @Test(arguments: [
    ("login as me with hunter2 failed", ["hunter2"], "login as me with … failed"),
    ("xhunter2x", ["hunter2"], "x…x"), ("hunter2hunter2", ["hunter2"], "……"),
    ("hunter22", ["hunter2", "hunter22"], "…"), ("nothing", [], "nothing"), ("nothing", [""], "nothing"),
    ("pin 42 of port 4242, 42", ["42"], "pin … of port 4242, …"), ("42", ["42"], "…"),
    ("a42 42b ü42", ["42"], "a42 42b ü42"),
    ("Basic a: and a:b", ["a:"], "Basic … and …b"), ("über über", ["über"], "… …"),
  ])
  func `are replaced, short ones as words alone`(text: String, secrets: [String], shown: String) {
    #expect(text.hiding(secrets) == shown)
  }
}
