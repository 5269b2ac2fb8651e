# Completion of signalbox-bridge for fish, as `signalbox-bridge --completions fish` prints it.

complete -c signalbox-bridge -f
complete -c signalbox-bridge -s s -l socket -r -F -d 'the daemon's socket (default /run/signalbox/signalbox.sock)'
complete -c signalbox-bridge -l check -d 'connect with each peer once, print what was found, and end'
complete -c signalbox-bridge -l input -d 'with --check: the connections are lines of standard input, as the daemon declares them'
complete -c signalbox-bridge -l manual -d 'print the manual page, for man(1)'
complete -c signalbox-bridge -l completions -x -a 'bash zsh fish' -d 'print a shell completion script'
complete -c signalbox-bridge -l version -d 'print the version'
complete -c signalbox-bridge -s h -l help -d 'print this'
