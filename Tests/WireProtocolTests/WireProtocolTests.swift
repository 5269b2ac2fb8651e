// Tests of WireProtocol
