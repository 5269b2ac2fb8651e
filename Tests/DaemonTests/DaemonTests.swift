// Tests of Daemon
