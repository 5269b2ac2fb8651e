# Completion of signalboxd for fish, as `signalboxd --completions fish` prints it.

complete -c signalboxd -f
complete -c signalboxd -s c -l config -r -F -d 'the configuration (default /etc/signalbox/signalbox.yaml)'
complete -c signalboxd -s s -l socket -r -F -d 'listen on this socket, overriding the configuration'
complete -c signalboxd -l check -d 'check the configuration and exit'
complete -c signalboxd -l takes-over -x -a 'VERSION' -d 'exit with 0 if this program can resume handover state of this version'
complete -c signalboxd -l manual -d 'print the manual page, for man(1)'
complete -c signalboxd -l completions -x -a 'bash zsh fish' -d 'print a shell completion script'
complete -c signalboxd -l version -d 'print the version'
complete -c signalboxd -s h -l help -d 'print this'
