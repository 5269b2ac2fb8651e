# Completion of signalboxd for fish, as `signalboxd --completions fish` prints it.

complete -c signalboxd -f
complete -c signalboxd -s c -l config -r -F -d 'the configuration (default /etc/signalbox/signalbox.yaml)'
complete -c signalboxd -s s -l socket -r -F -d 'listen here, whatever the configuration says'
complete -c signalboxd -l check -d 'check the configuration and end'
complete -c signalboxd -l takes-over -x -a 'VERSION' -d 'say whether this program can go on with the work of one that hands over in this version, and end'
complete -c signalboxd -l manual -d 'print the manual page, for man(1)'
complete -c signalboxd -l completions -x -a 'bash zsh fish' -d 'print what completes its command line in a shell'
complete -c signalboxd -l version -d 'print the version'
complete -c signalboxd -s h -l help -d 'print this'
