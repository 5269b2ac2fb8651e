// Tests of JSON
