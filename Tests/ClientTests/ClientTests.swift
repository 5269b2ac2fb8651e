// Tests of Client
