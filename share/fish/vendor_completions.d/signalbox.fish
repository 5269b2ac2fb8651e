# Completion of signalbox for fish, as `signalbox completions fish` prints it.

# The names that an awk program finds in the daemon's list of signals.
function __signalbox_listed
  set -l words (commandline -opc)
  set -l socket
  for index in (seq (count $words))
    switch $words[$index]
      case -s --socket
        set socket --socket $words[(math $index + 1)]
      case '--socket=*'
        set socket $words[$index]
    end
  end
  signalbox $socket list 2>/dev/null | awk -F '\t' $argv[1]
end

function __signalbox_operators
  signalbox operators 2>/dev/null | cut -f1
end

function __signalbox_configurations
  for path in (__fish_complete_path (commandline -ct))
    string match -rq '(/|\.ya?ml|\.json)(\t|$)' -- $path; and echo $path
  end
end

# Whether operand $argv[2] of the command $argv[1] is to be completed, or a later one, if $argv[3] says so.
function __signalbox_operand
  set -l command ''
  set -l count 0
  set -l isArgument 0
  for word in (commandline -opc)[2..-1]
    if test $isArgument = 1
      set isArgument 0
    else if contains -- "$command:$word" send:--event send:--code send:--message send:--message-id send:--timeout subscribe:-n subscribe:--take subscribe:--replay subscribe:--where subscribe:--every subscribe:--heartbeat subscribe:--overflow get:--seq get:--at get:--where get:-t get:--timeout get:--state get:-c get:--config wait:--where wait:-t wait:--timeout watch:--every top:--every top:--sort record:-o record:--output record:--for replay:--speed check:-c check:--config check:--format check:--against check:--instance state:--state state:-c state:--config history:--test history:--since history:--until history:--state history:-c history:--config why:--at why:--depth why:-f why:--format why:--state why:-c why:--config test:-c test:--config test:-f test:--filter test:--junit simulate:--until simulate:--why graph:-c graph:--config graph:-f graph:--format graph:-o graph:--output graph:--only view:-c view:--config view:--state
      set isArgument 1
    else if contains -- $word -s --socket --color
      set isArgument 1
    else if not string match -q -- '-*' $word
      test -n "$command"; and set count (math $count + 1); or set command $word
    end
  end
  test "$command" = $argv[1]; or return 1
  test $count = $argv[2]; or test -n "$argv[3]" -a $count -gt $argv[2]
end

complete -c signalbox -f
complete -c signalbox -s s -l socket -r -F -d 'the daemon'\''s socket (else $SIGNALBOX_SOCKET, else /run/signalbox/signalbox.sock)'
complete -c signalbox -s j -l json -d 'print the daemon'\''s JSON lines as they come'
complete -c signalbox -l color -x -a 'auto always never' -d 'auto (default; NO_COLOR, CLICOLOR_FORCE and TERM=dumb count), always or never'
complete -c signalbox -s h -l help -d 'explain the command'
complete -c signalbox -n __fish_use_subcommand -s V -l version -d 'print the version'
complete -c signalbox -n __fish_use_subcommand -a send -d 'send values into an input'
complete -c signalbox -n '__fish_seen_subcommand_from send' -s t -l string -d 'values are text, not JSON'
complete -c signalbox -n '__fish_seen_subcommand_from send' -l event -x -a 'completed failed interrupted' -d 'end the signal instead: completed, failed or interrupted'
complete -c signalbox -n '__fish_seen_subcommand_from send' -l code -x -d 'the code of --event failed'
complete -c signalbox -n '__fish_seen_subcommand_from send' -l message -x -d 'the message of --event failed'
complete -c signalbox -n '__fish_seen_subcommand_from send' -l message-id -x -d 'sent again with the same ID, it does nothing more (durable graphs)'
complete -c signalbox -n '__fish_seen_subcommand_from send' -l reliable -d 'send each value again until it is answered, over lost connections (durable graphs)'
complete -c signalbox -n '__fish_seen_subcommand_from send' -l timeout -x -d 'with --reliable: give up after this long, with status 75'
complete -c signalbox -n '__signalbox_operand send 0' -a '(__signalbox_listed "\$3 ~ /send/ { print \$1 }")'
complete -c signalbox -n __fish_use_subcommand -a subscribe -d 'print the values of signals as they come'
complete -c signalbox -n '__fish_seen_subcommand_from subscribe' -s f -l follow -d 'wait for a daemon that is not there, and connect again when it has gone'
complete -c signalbox -n '__fish_seen_subcommand_from subscribe' -s n -l take -x -d 'end after so many values'
complete -c signalbox -n '__fish_seen_subcommand_from subscribe' -l replay -x -d 'begin with so many retained values'
complete -c signalbox -n '__fish_seen_subcommand_from subscribe' -l where -x -d 'only values for which this jq expression is true'
complete -c signalbox -n '__fish_seen_subcommand_from subscribe' -l every -x -d 'at most one value in that time, the newest'
complete -c signalbox -n '__fish_seen_subcommand_from subscribe' -l heartbeat -x -d 'with --json: an event after this long without any'
complete -c signalbox -n '__fish_seen_subcommand_from subscribe' -l overflow -x -a 'drop_oldest drop_newest latest disconnect block' -d 'if you read too slowly: drop_oldest, drop_newest, latest, disconnect or block'
complete -c signalbox -n '__fish_seen_subcommand_from subscribe' -l timestamps -d 'show when the values came'
complete -c signalbox -n '__fish_seen_subcommand_from subscribe' -s r -l raw -d 'print strings without quotes and escapes'
complete -c signalbox -n '__signalbox_operand subscribe 0 further' -a '(__signalbox_listed "\$3 ~ /subscribe/ { print \$1 }")'
complete -c signalbox -n __fish_use_subcommand -a get -d 'print the value that a signal holds'
complete -c signalbox -n '__fish_seen_subcommand_from get' -s w -l wait -d 'wait for a value if there is none (see signalbox wait)'
complete -c signalbox -n '__fish_seen_subcommand_from get' -s r -l raw -d 'print strings without quotes and escapes'
complete -c signalbox -n '__fish_seen_subcommand_from get' -l seq -x -d 'the value with this number'
complete -c signalbox -n '__fish_seen_subcommand_from get' -l at -x -d 'the value that it held then: a moment, or so long ago'
complete -c signalbox -n '__fish_seen_subcommand_from get' -l where -x -d 'for a value for which this jq expression is true'
complete -c signalbox -n '__fish_seen_subcommand_from get' -s t -l timeout -x -d 'no longer than this: 500ms, 10s, 1m30s'
complete -c signalbox -n '__fish_seen_subcommand_from get' -l state -r -F -d 'the folder with the state'
complete -c signalbox -n '__fish_seen_subcommand_from get' -s c -l config -x -a '(__signalbox_configurations)' -d 'the configuration that names the folder'
complete -c signalbox -n '__signalbox_operand get 0 further' -a '(__signalbox_listed "\$3 ~ /subscribe/ { print \$1 }")'
complete -c signalbox -n __fish_use_subcommand -a wait -d 'wait until a signal has a value, or one that fits'
complete -c signalbox -n '__fish_seen_subcommand_from wait' -s r -l raw -d 'print strings without quotes and escapes'
complete -c signalbox -n '__fish_seen_subcommand_from wait' -l where -x -d 'for a value for which this jq expression is true'
complete -c signalbox -n '__fish_seen_subcommand_from wait' -s t -l timeout -x -d 'no longer than this: 500ms, 10s, 1m30s'
complete -c signalbox -n '__signalbox_operand wait 0 further' -a '(__signalbox_listed "\$3 ~ /subscribe/ { print \$1 }")'
complete -c signalbox -n __fish_use_subcommand -a watch -d 'watch the values of signals in place'
complete -c signalbox -n '__fish_seen_subcommand_from watch' -l every -x -d 'how often the figures and curves go on (1s)'
complete -c signalbox -n '__fish_seen_subcommand_from watch' -s r -l raw -d 'print strings without quotes and escapes'
complete -c signalbox -n '__signalbox_operand watch 0 further' -a '(__signalbox_listed "\$3 ~ /subscribe/ { print \$1 }")'
complete -c signalbox -n __fish_use_subcommand -a call -d 'run an action and print what it outputs'
complete -c signalbox -n '__fish_seen_subcommand_from call' -s r -l raw -d 'print strings without quotes and escapes'
complete -c signalbox -n '__signalbox_operand call 0' -a '(__signalbox_listed "\$2 == \"action\" { sub(/\\.[^.]*\$/, \"\", \$1); if (!seen[\$1]++) print \$1 }")'
complete -c signalbox -n __fish_use_subcommand -a list -d 'list the signals that you may see'
complete -c signalbox -n '__signalbox_operand list 0 further' -a '(__signalbox_listed "{ print \$1 }")'
complete -c signalbox -n __fish_use_subcommand -a describe -d 'show how a signal, or each of a graph, is declared and fares'
complete -c signalbox -n '__signalbox_operand describe 0 further' -a '(__signalbox_listed "{ print \$1; sub(/\\..*/, \"\", \$1); if (!seen[\$1]++) print \$1 }")'
complete -c signalbox -n __fish_use_subcommand -a stats -d 'show what the daemon has counted'
complete -c signalbox -n '__fish_seen_subcommand_from stats' -l prometheus -d 'as metrics, in the text format of Prometheus'
complete -c signalbox -n '__fish_seen_subcommand_from stats' -l openmetrics -d 'the same in that of OpenMetrics 1.0'
complete -c signalbox -n __fish_use_subcommand -a top -d 'watch how busy the signals are'
complete -c signalbox -n '__fish_seen_subcommand_from top' -l every -x -d 'how often to look (1s)'
complete -c signalbox -n '__fish_seen_subcommand_from top' -l sort -x -a 'signal values/s latency subscribers values errors dropped lost age' -d 'by signal, values/s (default), latency, subscribers, and so on'
complete -c signalbox -n '__fish_seen_subcommand_from top' -s r -l reverse -d 'the least first'
complete -c signalbox -n '__signalbox_operand top 0 further' -a '(__signalbox_listed "{ print \$1 }")'
complete -c signalbox -n __fish_use_subcommand -a ping -d 'ask whether the daemon answers, and how fast'
complete -c signalbox -n __fish_use_subcommand -a reload -d 'have the daemon read its configuration again'
complete -c signalbox -n '__fish_seen_subcommand_from reload' -s n -l dry-run -d 'say what it would do, and what signals would forget; change nothing'
complete -c signalbox -n '__fish_seen_subcommand_from reload' -s q -l quiet -d 'print nothing but that it was refused: the daemon'\''s log has the mistakes'
complete -c signalbox -n __fish_use_subcommand -a restart -d 'start a signal that has ended anew'
complete -c signalbox -n '__signalbox_operand restart 0 further' -a '(__signalbox_listed "\$5 != \"-\" { print \$1; sub(/\\..*/, \"\", \$1); if (!seen[\$1]++) print \$1 }")'
complete -c signalbox -n __fish_use_subcommand -a record -d 'record signals, to simulate or replay them'
complete -c signalbox -n '__fish_seen_subcommand_from record' -s o -l output -r -F -d 'write a new FILE; one that is there is left alone'
complete -c signalbox -n '__fish_seen_subcommand_from record' -l for -x -d 'end after this long'
complete -c signalbox -n '__signalbox_operand record 0 further' -a '(__signalbox_listed "\$3 ~ /subscribe/ { print \$1 }")'
complete -c signalbox -n __fish_use_subcommand -a replay -d 'send a recording to a running daemon'
complete -c signalbox -n '__fish_seen_subcommand_from replay' -l speed -x -d 'so many times as fast: 60, 0.5; max makes no pauses (1)'
complete -c signalbox -n '__signalbox_operand replay 0 further' -a '(__signalbox_listed "\$3 ~ /send/ { print \$1 }")'
complete -c signalbox -n __fish_use_subcommand -a check -d 'find every mistake in a configuration'
complete -c signalbox -n '__fish_seen_subcommand_from check' -s c -l config -x -a '(__signalbox_configurations)' -d 'read it as the daemon does, with conf.d beside it'
complete -c signalbox -n '__fish_seen_subcommand_from check' -l format -x -a 'text json' -d 'text (default) or json'
complete -c signalbox -n '__fish_seen_subcommand_from check' -l against -r -F -d 'say what would become of the state of durable graphs in a folder'
complete -c signalbox -n '__fish_seen_subcommand_from check' -l expand -d 'print it as one file, with all templates written out'
complete -c signalbox -n '__fish_seen_subcommand_from check' -l live -d 'compare it with what is on the message buses now'
complete -c signalbox -n '__fish_seen_subcommand_from check' -l unit -d 'print what the service needs to be allowed for it, as a drop-in for its unit'
complete -c signalbox -n '__fish_seen_subcommand_from check' -l instance -x -d 'with --unit: of the instance signalbox@NAME, and its configuration'
complete -c signalbox -n '__signalbox_operand check 0 further' -a '(__signalbox_configurations)'
complete -c signalbox -n __fish_use_subcommand -a state -d 'show what is kept of durable graphs, or change it'
complete -c signalbox -n '__fish_seen_subcommand_from state' -l state -r -F -d 'the folder with the state'
complete -c signalbox -n '__fish_seen_subcommand_from state' -s c -l config -x -a '(__signalbox_configurations)' -d 'the configuration that names the folder'
complete -c signalbox -n '__fish_seen_subcommand_from state' -s n -l dry-run -d 'say what would be done, and change nothing'
complete -c signalbox -n '__signalbox_operand state 0' -a 'reset repair export import'
complete -c signalbox -n '__signalbox_operand state 1 further' -F
complete -c signalbox -n __fish_use_subcommand -a history -d 'print what entered durable graphs'
complete -c signalbox -n '__fish_seen_subcommand_from history' -l test -x -d 'print a test of that name'
complete -c signalbox -n '__fish_seen_subcommand_from history' -l since -x -d 'from then on: a moment such as 2026-05-01T12:00:00Z, or so long ago'
complete -c signalbox -n '__fish_seen_subcommand_from history' -l until -x -d 'up to then: a moment, or so long ago'
complete -c signalbox -n '__fish_seen_subcommand_from history' -l state -r -F -d 'the folder with the state'
complete -c signalbox -n '__fish_seen_subcommand_from history' -s c -l config -x -a '(__signalbox_configurations)' -d 'the configuration that names the folder'
complete -c signalbox -n '__signalbox_operand history 0 further' -a '(__signalbox_listed "{ print \$1 }")'
complete -c signalbox -n __fish_use_subcommand -a why -d 'explain how a value of a durable graph came about'
complete -c signalbox -n '__fish_seen_subcommand_from why' -l at -x -d 'the value that it held then: a moment, or so long ago'
complete -c signalbox -n '__fish_seen_subcommand_from why' -l not -d 'tell why nothing came around the time that --at gives'
complete -c signalbox -n '__fish_seen_subcommand_from why' -l depth -x -d 'follow what was read besides so many steps back, from 0 (default) to 100'
complete -c signalbox -n '__fish_seen_subcommand_from why' -l verify -d 'try it: let only what is named as needed enter again; status 1 if the value differs'
complete -c signalbox -n '__fish_seen_subcommand_from why' -s f -l format -x -a 'text json svg' -d 'text (default), json, or svg: the graph with the way in it'
complete -c signalbox -n '__fish_seen_subcommand_from why' -s j -l json -d 'the same as --format json'
complete -c signalbox -n '__fish_seen_subcommand_from why' -l state -r -F -d 'the folder with the state'
complete -c signalbox -n '__fish_seen_subcommand_from why' -s c -l config -x -a '(__signalbox_configurations)' -d 'the configuration that names the folder'
complete -c signalbox -n '__signalbox_operand why 0 further' -a '(__signalbox_listed "{ print \$1 }")'
complete -c signalbox -n __fish_use_subcommand -a test -d 'run the tests of a configuration, in virtual time'
complete -c signalbox -n '__fish_seen_subcommand_from test' -s c -l config -x -a '(__signalbox_configurations)' -d 'read it as the daemon does, with conf.d beside it'
complete -c signalbox -n '__fish_seen_subcommand_from test' -s f -l filter -x -d 'run the tests whose name contains it'
complete -c signalbox -n '__fish_seen_subcommand_from test' -l junit -r -F -d 'also write the outcomes as XML for CI systems; - for standard output'
complete -c signalbox -n '__fish_seen_subcommand_from test' -l restarts -d 'write all graphs down and build them anew between any two instants, as after a crash of the daemon'
complete -c signalbox -n '__fish_seen_subcommand_from test' -l why -d 'explain what was not as expected: how it came about, or where it ended'
complete -c signalbox -n '__fish_seen_subcommand_from test' -s j -l json -d 'print each outcome as a line of JSON'
complete -c signalbox -n '__fish_seen_subcommand_from test' -s v -l verbose -d 'name the tests that passed, too'
complete -c signalbox -n '__signalbox_operand test 0 further' -a '(__signalbox_configurations)'
complete -c signalbox -n __fish_use_subcommand -a simulate -d 'replay recorded events to a configuration'
complete -c signalbox -n '__fish_seen_subcommand_from simulate' -l until -x -d 'go on to this time, or for this long from the start'
complete -c signalbox -n '__fish_seen_subcommand_from simulate' -l why -x -d 'explain how a value came about: the last one, or SEQ'
complete -c signalbox -n '__fish_seen_subcommand_from simulate' -l skip-computed -d 'pass over lines of signals that are computed from others'
complete -c signalbox -n '__signalbox_operand simulate 0' -a '(__signalbox_configurations)'
complete -c signalbox -n '__signalbox_operand simulate 1 further' -a '(__signalbox_listed "{ print \$1 }")'
complete -c signalbox -n __fish_use_subcommand -a graph -d 'draw the graphs of a configuration'
complete -c signalbox -n '__fish_seen_subcommand_from graph' -s c -l config -x -a '(__signalbox_configurations)' -d 'read it as the daemon does, with conf.d beside it'
complete -c signalbox -n '__fish_seen_subcommand_from graph' -s f -l format -x -a 'svg text mermaid dot' -d 'svg, text (a tree; default on a terminal), mermaid, or dot (default in a pipe; for Graphviz)'
complete -c signalbox -n '__fish_seen_subcommand_from graph' -s o -l output -r -F -d 'write FILE once all is drawn; .svg, .txt, .mmd or .dot says the format, too'
complete -c signalbox -n '__fish_seen_subcommand_from graph' -l only -x -a '(__signalbox_listed "\$1 !~ /^signalbox[.]/ { sub(/\\..*/, \"\", \$1); if (!seen[\$1]++) print \$1 }")' -d 'draw this graph alone'
complete -c signalbox -n '__signalbox_operand graph 0 further' -a '(__signalbox_configurations)'
complete -c signalbox -n __fish_use_subcommand -a view -d 'show the graphs, live, in a browser'
complete -c signalbox -n '__fish_seen_subcommand_from view' -s c -l config -x -a '(__signalbox_configurations)' -d 'the configuration to draw (/etc/signalbox/signalbox.yaml)'
complete -c signalbox -n '__fish_seen_subcommand_from view' -l state -r -F -d 'the folder with the state of durable graphs'
complete -c signalbox -n __fish_use_subcommand -a operators -d 'explain what signals can be made of'
complete -c signalbox -n '__fish_seen_subcommand_from operators' -s j -l json -d 'print each as a line of JSON'
complete -c signalbox -n '__signalbox_operand operators 0 further' -a '(__signalbox_operators)'
complete -c signalbox -n __fish_use_subcommand -a schema -d 'print the JSON Schema of a configuration, for editors'
complete -c signalbox -n __fish_use_subcommand -a completions -d 'print what completes command lines in a shell'
complete -c signalbox -n '__signalbox_operand completions 0 further' -a 'bash zsh fish'
complete -c signalbox -n __fish_use_subcommand -a manual -d 'print a page of the manual, for man(1)'
complete -c signalbox -n '__signalbox_operand manual 0 further' -a 'signalbox signalbox.yaml'
complete -c signalbox -n __fish_use_subcommand -a help -d 'explain the commands, or one of them'
complete -c signalbox -n '__signalbox_operand help 0 further' -a 'send subscribe get wait watch call list describe stats top ping reload restart record replay check state history why test simulate graph view operators schema completions manual help'
