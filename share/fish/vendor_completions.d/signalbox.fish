# Completion of signalbox for fish, as `signalbox completions fish` prints it.

function __signalbox_signals
  signalbox list 2>/dev/null | cut -f1
end

function __signalbox_actions
  signalbox list 2>/dev/null | awk -F '\t' '$2 == "action" { sub(/\.[^.]*$/, "", $1); if (!seen[$1]++) print $1 }'
end

function __signalbox_operators
  signalbox operators 2>/dev/null | cut -f1
end

complete -c signalbox -f
complete -c signalbox -s s -l socket -r -F -d 'the daemon'\''s socket (else $SIGNALBOX_SOCKET, else /run/signalbox/signalbox.sock)'
complete -c signalbox -s j -l json -d 'print the daemon'\''s JSON lines as they come'
complete -c signalbox -s h -l help -d 'explain the command'
complete -c signalbox -n __fish_use_subcommand -s V -l version -d 'print the version'
complete -c signalbox -n __fish_use_subcommand -a send -d 'send values into an input'
complete -c signalbox -n '__fish_seen_subcommand_from send' -s t -l string -d 'values are text, not JSON'
complete -c signalbox -n '__fish_seen_subcommand_from send' -l event -x -a 'completed failed interrupted' -d 'end the signal instead: completed, failed or interrupted'
complete -c signalbox -n '__fish_seen_subcommand_from send' -l code -x -d 'the code of --event failed'
complete -c signalbox -n '__fish_seen_subcommand_from send' -l message -x -d 'the message of --event failed'
complete -c signalbox -n '__fish_seen_subcommand_from send' -a '(__signalbox_signals)'
complete -c signalbox -n __fish_use_subcommand -a subscribe -d 'print the values of signals as they come'
complete -c signalbox -n '__fish_seen_subcommand_from subscribe' -s n -l take -x -d 'end after so many values'
complete -c signalbox -n '__fish_seen_subcommand_from subscribe' -l replay -x -d 'begin with so many retained values'
complete -c signalbox -n '__fish_seen_subcommand_from subscribe' -l where -x -d 'only values for which this jq expression is true'
complete -c signalbox -n '__fish_seen_subcommand_from subscribe' -l every -x -d 'at most one value in that time, the newest'
complete -c signalbox -n '__fish_seen_subcommand_from subscribe' -l heartbeat -x -d 'with --json: an event whenever nothing came for so long'
complete -c signalbox -n '__fish_seen_subcommand_from subscribe' -l overflow -x -a 'drop_oldest drop_newest latest disconnect block' -d 'if you read too slowly: drop_oldest, drop_newest, latest, disconnect or block'
complete -c signalbox -n '__fish_seen_subcommand_from subscribe' -l timestamps -d 'show when the values came'
complete -c signalbox -n '__fish_seen_subcommand_from subscribe' -s r -l raw -d 'print strings without quotes and escapes'
complete -c signalbox -n '__fish_seen_subcommand_from subscribe' -a '(__signalbox_signals)'
complete -c signalbox -n __fish_use_subcommand -a get -d 'print the value that a signal holds'
complete -c signalbox -n '__fish_seen_subcommand_from get' -s w -l wait -d 'wait for a value if there is none (see signalbox wait)'
complete -c signalbox -n '__fish_seen_subcommand_from get' -s r -l raw -d 'print strings without quotes and escapes'
complete -c signalbox -n '__fish_seen_subcommand_from get' -l where -x -d 'for a value for which this jq expression is true'
complete -c signalbox -n '__fish_seen_subcommand_from get' -s t -l timeout -x -d 'no longer than this: 500ms, 10s, 1m30s'
complete -c signalbox -n '__fish_seen_subcommand_from get' -a '(__signalbox_signals)'
complete -c signalbox -n __fish_use_subcommand -a wait -d 'wait until a signal has a value, or one that fits'
complete -c signalbox -n '__fish_seen_subcommand_from wait' -s r -l raw -d 'print strings without quotes and escapes'
complete -c signalbox -n '__fish_seen_subcommand_from wait' -l where -x -d 'for a value for which this jq expression is true'
complete -c signalbox -n '__fish_seen_subcommand_from wait' -s t -l timeout -x -d 'no longer than this: 500ms, 10s, 1m30s'
complete -c signalbox -n '__fish_seen_subcommand_from wait' -a '(__signalbox_signals)'
complete -c signalbox -n __fish_use_subcommand -a call -d 'run an action and print what it outputs'
complete -c signalbox -n '__fish_seen_subcommand_from call' -s r -l raw -d 'print strings without quotes and escapes'
complete -c signalbox -n '__fish_seen_subcommand_from call' -a '(__signalbox_actions)'
complete -c signalbox -n __fish_use_subcommand -a list -d 'list the signals that you may see'
complete -c signalbox -n '__fish_seen_subcommand_from list' -a '(__signalbox_signals)'
complete -c signalbox -n __fish_use_subcommand -a describe -d 'show how a signal, or each of a graph, is declared and fares'
complete -c signalbox -n '__fish_seen_subcommand_from describe' -a '(__signalbox_signals)'
complete -c signalbox -n __fish_use_subcommand -a stats -d 'show what the daemon has counted'
complete -c signalbox -n '__fish_seen_subcommand_from stats' -l prometheus -d 'in the text format of Prometheus; for root and the daemon'\''s own user'
complete -c signalbox -n __fish_use_subcommand -a top -d 'watch how busy the signals are'
complete -c signalbox -n '__fish_seen_subcommand_from top' -l every -x -d 'how often to look (1s)'
complete -c signalbox -n '__fish_seen_subcommand_from top' -a '(__signalbox_signals)'
complete -c signalbox -n __fish_use_subcommand -a ping -d 'ask whether the daemon answers, and how fast'
complete -c signalbox -n __fish_use_subcommand -a reload -d 'have the daemon read its configuration again'
complete -c signalbox -n '__fish_seen_subcommand_from reload' -s q -l quiet -d 'print nothing but that it was refused: the daemon'\''s log has the mistakes'
complete -c signalbox -n __fish_use_subcommand -a restart -d 'start a signal that has ended anew'
complete -c signalbox -n '__fish_seen_subcommand_from restart' -a '(__signalbox_signals)'
complete -c signalbox -n __fish_use_subcommand -a check -d 'find every mistake in a configuration'
complete -c signalbox -n '__fish_seen_subcommand_from check' -s c -l config -r -F -d 'read it as the daemon does, with conf.d beside it'
complete -c signalbox -n '__fish_seen_subcommand_from check' -l format -x -a 'text json' -d 'text (default) or json'
complete -c signalbox -n '__fish_seen_subcommand_from check' -l unit -d 'print what the service needs to be allowed for it, as a drop-in for its unit'
complete -c signalbox -n '__fish_seen_subcommand_from check' -F
complete -c signalbox -n __fish_use_subcommand -a test -d 'run the tests of a configuration, in virtual time'
complete -c signalbox -n '__fish_seen_subcommand_from test' -s c -l config -r -F -d 'read it as the daemon does, with conf.d beside it'
complete -c signalbox -n '__fish_seen_subcommand_from test' -s f -l filter -x -d 'run the tests whose name contains it'
complete -c signalbox -n '__fish_seen_subcommand_from test' -l junit -r -F -d 'also write the outcomes as XML for CI systems; - for standard output'
complete -c signalbox -n '__fish_seen_subcommand_from test' -s j -l json -d 'print each outcome as a line of JSON'
complete -c signalbox -n '__fish_seen_subcommand_from test' -s v -l verbose -d 'name the tests that passed, too'
complete -c signalbox -n '__fish_seen_subcommand_from test' -F
complete -c signalbox -n __fish_use_subcommand -a simulate -d 'replay recorded events to a configuration'
complete -c signalbox -n '__fish_seen_subcommand_from simulate' -l until -x -d 'go on to this time, or for so long since the start'
complete -c signalbox -n '__fish_seen_subcommand_from simulate' -l skip-computed -d 'pass over lines of signals that are computed from others'
complete -c signalbox -n '__fish_seen_subcommand_from simulate' -F
complete -c signalbox -n __fish_use_subcommand -a graph -d 'draw the graphs of a configuration'
complete -c signalbox -n '__fish_seen_subcommand_from graph' -s c -l config -r -F -d 'read it as the daemon does, with conf.d beside it'
complete -c signalbox -n '__fish_seen_subcommand_from graph' -s f -l format -x -a 'dot mermaid svg' -d 'dot (default, for Graphviz), mermaid, or svg, which Graphviz draws if it is installed'
complete -c signalbox -n '__fish_seen_subcommand_from graph' -l only -x -d 'draw this graph alone'
complete -c signalbox -n '__fish_seen_subcommand_from graph' -F
complete -c signalbox -n __fish_use_subcommand -a operators -d 'explain what signals can be made of'
complete -c signalbox -n '__fish_seen_subcommand_from operators' -s j -l json -d 'print each as a line of JSON'
complete -c signalbox -n '__fish_seen_subcommand_from operators' -a '(__signalbox_operators)'
complete -c signalbox -n __fish_use_subcommand -a schema -d 'print the JSON Schema of a configuration, for editors'
complete -c signalbox -n __fish_use_subcommand -a completions -d 'print what completes command lines in a shell'
complete -c signalbox -n '__fish_seen_subcommand_from completions' -a 'bash zsh fish'
complete -c signalbox -n __fish_use_subcommand -a manual -d 'print a page of the manual, for man(1)'
complete -c signalbox -n '__fish_seen_subcommand_from manual' -a 'signalbox signalbox.yaml'
complete -c signalbox -n __fish_use_subcommand -a help -d 'explain the commands, or one of them'
complete -c signalbox -n '__fish_seen_subcommand_from help' -a 'send subscribe get wait call list describe stats top ping reload restart check test simulate graph operators schema completions manual help'
