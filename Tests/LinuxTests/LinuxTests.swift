// Tests of Linux
