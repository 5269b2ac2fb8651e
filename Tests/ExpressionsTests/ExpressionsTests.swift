// Tests of Expressions
