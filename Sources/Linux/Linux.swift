// Linux
