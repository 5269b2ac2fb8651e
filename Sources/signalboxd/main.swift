import Daemon
print("hi")
