# Completion of signalbox-http for fish, as `signalbox-http --completions fish` prints it.

complete -c signalbox-http -f
complete -c signalbox-http -s l -l listen -x -a 'ADDRESS' -d 'where requests come: HOST:PORT or unix:PATH; may be repeated'
complete -c signalbox-http -s s -l socket -r -F -d 'the daemon's socket (default /run/signalbox/signalbox.sock)'
complete -c signalbox-http -s t -l token-file -r -F -d 'who may come in by TCP, and which webhooks'
complete -c signalbox-http -l host -x -a 'NAME' -d 'a name by which it may be asked for; may be repeated'
complete -c signalbox-http -l max-connections -x -a 'N' -d 'the most connections at each address (default 900; see limits.user.connections of the daemon)'
complete -c signalbox-http -s c -l config -r -F -d 'the configuration to draw (default /etc/signalbox/signalbox.yaml)'
complete -c signalbox-http -l state -x -a 'DIR' -d 'the folder of the daemon's durable graphs, to explain their values; its user must be root or the daemon's'
complete -c signalbox-http -l new-token -x -a 'NAME' -d 'print a new token and its line for the file, and end'
complete -c signalbox-http -l view -d 'serve the page for oneself, on a free port, and open it in a browser'
complete -c signalbox-http -l openapi -d 'print the description of what can be asked, and end'
complete -c signalbox-http -l manual -d 'print the manual page, for man(1)'
complete -c signalbox-http -l completions -x -a 'bash zsh fish' -d 'print what completes its command line in a shell'
complete -c signalbox-http -l version -d 'print the version'
complete -c signalbox-http -s h -l help -d 'print this'
