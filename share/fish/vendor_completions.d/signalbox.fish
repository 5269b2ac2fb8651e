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

# True if operand $argv[2] of the command $argv[1] is to be completed, or a later one if $argv[3] says so.
function __signalbox_operand
  set -l command ''
  set -l count 0
  set -l isArgument 0
  for word in (commandline -opc)[2..-1]
    if test $isArgument = 1
      set isArgument 0
    else if contains -- "$command:$word" send:--event send:--code send:--message send:--message-id send:--timeout subscribe:-n subscribe:--take subscribe:--replay subscribe:--where subscribe:--every subscribe:--heartbeat subscribe:--overflow get:--seq get:--at get:--where get:-t get:--timeout get:--state get:-c get:--config values:--history values:--step wait:--where wait:-t wait:--timeout watch:--every top:--every top:--sort cluster:-c cluster:--config cluster:--format record:-o record:--output record:--for replay:--speed init:--from check:-c check:--config check:--format check:--against check:--instance state:--state state:-c state:--config state:-s state:--socket state:--cluster history:--test history:--step history:--within history:--since history:--until history:--state history:-c history:--config history:-s history:--socket why:--at why:--depth why:-f why:--format why:--state why:-c why:--config why:-s why:--socket test:-c test:--config test:-f test:--filter test:--junit simulate:--start simulate:--until simulate:--why graph:-c graph:--config graph:-f graph:--format graph:-o graph:--output graph:--only view:-c view:--config view:--state
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
complete -c signalbox -s j -l json -d 'print the daemon'\''s JSON lines unchanged'
complete -c signalbox -l color -x -a 'auto always never' -d 'auto (default; honours NO_COLOR, CLICOLOR_FORCE and TERM=dumb), always or never'
complete -c signalbox -s h -l help -d 'explain the command'
complete -c signalbox -n __fish_use_subcommand -s V -l version -d 'print the version'
complete -c signalbox -n __fish_use_subcommand -a send -d 'send values to a signal'
complete -c signalbox -n '__fish_seen_subcommand_from send' -s t -l string -d 'values are text, not JSON'
complete -c signalbox -n '__fish_seen_subcommand_from send' -l event -x -a 'completed failed interrupted' -d 'end the signal instead: completed, failed or interrupted'
complete -c signalbox -n '__fish_seen_subcommand_from send' -l code -x -d 'the code of --event failed'
complete -c signalbox -n '__fish_seen_subcommand_from send' -l message -x -d 'the message of --event failed'
complete -c signalbox -n '__fish_seen_subcommand_from send' -l message-id -x -d 'idempotency key: a repeated ID is accepted once (durable graphs)'
complete -c signalbox -n '__fish_seen_subcommand_from send' -l reliable -d 'resend each value until acknowledged, across reconnects (durable graphs)'
complete -c signalbox -n '__fish_seen_subcommand_from send' -l timeout -x -d 'with --reliable: give up after this long, with status 75'
complete -c signalbox -n '__signalbox_operand send 0' -a '(__signalbox_listed "\$3 ~ /send/ { print \$1 }")'
complete -c signalbox -n __fish_use_subcommand -a subscribe -d 'follow the values of signals'
complete -c signalbox -n '__fish_seen_subcommand_from subscribe' -s f -l follow -d 'wait for the daemon, and reconnect when the connection is lost'
complete -c signalbox -n '__fish_seen_subcommand_from subscribe' -s n -l take -x -d 'stop after this many values'
complete -c signalbox -n '__fish_seen_subcommand_from subscribe' -l replay -x -d 'start with this many retained values'
complete -c signalbox -n '__fish_seen_subcommand_from subscribe' -l where -x -d 'only values that match this jq expression'
complete -c signalbox -n '__fish_seen_subcommand_from subscribe' -l every -x -d 'at most one value per interval, the newest'
complete -c signalbox -n '__fish_seen_subcommand_from subscribe' -l heartbeat -x -d 'with --json: an event after this long without events'
complete -c signalbox -n '__fish_seen_subcommand_from subscribe' -l overflow -x -a 'drop_oldest drop_newest latest disconnect block' -d 'overflow policy for a slow reader: drop_oldest, drop_newest, latest, disconnect or block'
complete -c signalbox -n '__fish_seen_subcommand_from subscribe' -l timestamps -d 'print the time of each value'
complete -c signalbox -n '__fish_seen_subcommand_from subscribe' -s r -l raw -d 'print strings without quotes and escapes'
complete -c signalbox -n '__signalbox_operand subscribe 0 further' -a '(__signalbox_listed "\$3 ~ /subscribe/ { print \$1 }")'
complete -c signalbox -n __fish_use_subcommand -a get -d 'print the value that a signal holds'
complete -c signalbox -n '__fish_seen_subcommand_from get' -s w -l wait -d 'wait for a value if there is none (see signalbox wait)'
complete -c signalbox -n '__fish_seen_subcommand_from get' -s r -l raw -d 'print strings without quotes and escapes'
complete -c signalbox -n '__fish_seen_subcommand_from get' -l seq -x -d 'the value with this number'
complete -c signalbox -n '__fish_seen_subcommand_from get' -l at -x -d 'the value held at that time: a timestamp, or a duration ago'
complete -c signalbox -n '__fish_seen_subcommand_from get' -l where -x -d 'wait for a value that matches this jq expression'
complete -c signalbox -n '__fish_seen_subcommand_from get' -s t -l timeout -x -d 'timeout: 500ms, 10s, 1m30s'
complete -c signalbox -n '__fish_seen_subcommand_from get' -l state -r -F -d 'the state folder'
complete -c signalbox -n '__fish_seen_subcommand_from get' -s c -l config -x -a '(__signalbox_configurations)' -d 'the configuration that sets the folder'
complete -c signalbox -n '__signalbox_operand get 0 further' -a '(__signalbox_listed "\$3 ~ /subscribe/ { print \$1 }")'
complete -c signalbox -n __fish_use_subcommand -a values -d 'print the values that signals hold, with their times'
complete -c signalbox -n '__fish_seen_subcommand_from values' -l history -x -d 'also the retained values of this period'
complete -c signalbox -n '__fish_seen_subcommand_from values' -l step -x -d 'with --history: the last value of each such interval'
complete -c signalbox -n '__fish_seen_subcommand_from values' -s r -l raw -d 'print strings without quotes and escapes'
complete -c signalbox -n '__signalbox_operand values 0 further' -a '(__signalbox_listed "\$3 ~ /subscribe/ { print \$1 }")'
complete -c signalbox -n __fish_use_subcommand -a wait -d 'wait for a value of a signal, or a matching one'
complete -c signalbox -n '__fish_seen_subcommand_from wait' -s r -l raw -d 'print strings without quotes and escapes'
complete -c signalbox -n '__fish_seen_subcommand_from wait' -l where -x -d 'wait for a value that matches this jq expression'
complete -c signalbox -n '__fish_seen_subcommand_from wait' -s t -l timeout -x -d 'timeout: 500ms, 10s, 1m30s'
complete -c signalbox -n '__signalbox_operand wait 0 further' -a '(__signalbox_listed "\$3 ~ /subscribe/ { print \$1 }")'
complete -c signalbox -n __fish_use_subcommand -a watch -d 'show the current values of signals, live'
complete -c signalbox -n '__fish_seen_subcommand_from watch' -l every -x -d 'interval of rates and curves (1s)'
complete -c signalbox -n '__fish_seen_subcommand_from watch' -s r -l raw -d 'print strings without quotes and escapes'
complete -c signalbox -n '__signalbox_operand watch 0 further' -a '(__signalbox_listed "\$3 ~ /subscribe/ { print \$1 }")'
complete -c signalbox -n __fish_use_subcommand -a call -d 'run an action and print what it outputs'
complete -c signalbox -n '__fish_seen_subcommand_from call' -s r -l raw -d 'print strings without quotes and escapes'
complete -c signalbox -n '__signalbox_operand call 0' -a '(__signalbox_listed "\$2 == \"action\" { sub(/\\.[^.]*\$/, \"\", \$1); if (!seen[\$1]++) print \$1 }")'
complete -c signalbox -n __fish_use_subcommand -a list -d 'list the visible signals'
complete -c signalbox -n '__signalbox_operand list 0 further' -a '(__signalbox_listed "{ print \$1 }")'
complete -c signalbox -n __fish_use_subcommand -a describe -d 'show the declaration and state of a signal, or of all signals of a graph'
complete -c signalbox -n '__signalbox_operand describe 0 further' -a '(__signalbox_listed "{ print \$1; sub(/\\..*/, \"\", \$1); if (!seen[\$1]++) print \$1 }")'
complete -c signalbox -n __fish_use_subcommand -a stats -d 'show the statistics of the daemon'
complete -c signalbox -n '__fish_seen_subcommand_from stats' -l prometheus -d 'print metrics in the Prometheus text format'
complete -c signalbox -n '__fish_seen_subcommand_from stats' -l openmetrics -d 'print metrics in the OpenMetrics 1.0 text format'
complete -c signalbox -n __fish_use_subcommand -a top -d 'monitor the activity of signals'
complete -c signalbox -n '__fish_seen_subcommand_from top' -l every -x -d 'refresh interval (1s)'
complete -c signalbox -n '__fish_seen_subcommand_from top' -l sort -x -a 'signal values/s latency subscribers values errors dropped lost waiting oldest failure age' -d 'sort column: signal, values/s (default), latency, subscribers and others'
complete -c signalbox -n '__fish_seen_subcommand_from top' -s r -l reverse -d 'sort in ascending order'
complete -c signalbox -n '__signalbox_operand top 0 further' -a '(__signalbox_listed "{ print \$1 }")'
complete -c signalbox -n __fish_use_subcommand -a connections -d 'show the connections to peers on the network'
complete -c signalbox -n __fish_use_subcommand -a cluster -d 'show the nodes of the cluster and who runs each graph, or test its servers'
complete -c signalbox -n '__fish_seen_subcommand_from cluster' -s c -l config -x -a '(__signalbox_configurations)' -d 'with test: the configuration, read as the daemon does'
complete -c signalbox -n '__fish_seen_subcommand_from cluster' -l format -x -a 'text json' -d 'with test: text (default) or json'
complete -c signalbox -n '__signalbox_operand cluster 0 further' -a 'test'
complete -c signalbox -n __fish_use_subcommand -a ping -d 'measure the response time of the daemon'
complete -c signalbox -n __fish_use_subcommand -a reload -d 'reload the configuration of the daemon'
complete -c signalbox -n '__fish_seen_subcommand_from reload' -s n -l dry-run -d 'report the changes and discarded state; apply nothing'
complete -c signalbox -n '__fish_seen_subcommand_from reload' -s q -l quiet -d 'print only whether it was rejected; the errors are in the daemon'\''s log'
complete -c signalbox -n __fish_use_subcommand -a restart -d 'restart an ended signal'
complete -c signalbox -n '__signalbox_operand restart 0 further' -a '(__signalbox_listed "\$5 != \"-\" { print \$1; sub(/\\..*/, \"\", \$1); if (!seen[\$1]++) print \$1 }")'
complete -c signalbox -n __fish_use_subcommand -a record -d 'record signals for simulation or replay'
complete -c signalbox -n '__fish_seen_subcommand_from record' -s o -l output -r -F -d 'write to a new FILE; fail if it exists'
complete -c signalbox -n '__fish_seen_subcommand_from record' -l for -x -d 'stop after this long'
complete -c signalbox -n '__signalbox_operand record 0 further' -a '(__signalbox_listed "\$3 ~ /subscribe/ { print \$1 }")'
complete -c signalbox -n __fish_use_subcommand -a replay -d 'replay a recording to a running daemon'
complete -c signalbox -n '__fish_seen_subcommand_from replay' -l speed -x -d 'playback speed factor, such as 60 or 0.5; max for no pauses (1)'
complete -c signalbox -n '__signalbox_operand replay 0 further' -a '(__signalbox_listed "\$3 ~ /send/ { print \$1 }")'
complete -c signalbox -n __fish_use_subcommand -a init -d 'write a first configuration, or one of the cookbook'
complete -c signalbox -n '__fish_seen_subcommand_from init' -l from -x -d 'copy a file of the cookbook: heating, hysteresis and others'
complete -c signalbox -n '__signalbox_operand init 0 further' -F
complete -c signalbox -n __fish_use_subcommand -a dev -d 'check, test and run a configuration, again at each save'
complete -c signalbox -n '__fish_seen_subcommand_from dev' -l fresh -d 'start without state at each save'
complete -c signalbox -n '__fish_seen_subcommand_from dev' -l dry-run -d 'call, write and publish nothing'
complete -c signalbox -n '__fish_seen_subcommand_from dev' -l view -d 'show the graphs in a browser, as signalbox view does'
complete -c signalbox -n '__fish_seen_subcommand_from dev' -l once -d 'check, test and start once, for scripts'
complete -c signalbox -n '__signalbox_operand dev 0 further' -a '(__signalbox_configurations)'
complete -c signalbox -n __fish_use_subcommand -a check -d 'check a configuration and report every error'
complete -c signalbox -n '__fish_seen_subcommand_from check' -s c -l config -x -a '(__signalbox_configurations)' -d 'read it as the daemon does, including conf.d'
complete -c signalbox -n '__fish_seen_subcommand_from check' -l format -x -a 'text json' -d 'text (default) or json'
complete -c signalbox -n '__fish_seen_subcommand_from check' -l fix -d 'apply all fix-its to the files, and report what remains'
complete -c signalbox -n '__fish_seen_subcommand_from check' -l against -r -F -d 'report the state in a folder that durable graphs would discard'
complete -c signalbox -n '__fish_seen_subcommand_from check' -l expand -d 'print it as one file with templates expanded'
complete -c signalbox -n '__fish_seen_subcommand_from check' -l live -d 'compare it with the message buses, and try its connections'
complete -c signalbox -n '__fish_seen_subcommand_from check' -l unit -d 'print a systemd drop-in with the permissions it needs'
complete -c signalbox -n '__fish_seen_subcommand_from check' -l instance -x -d 'with --unit: for the instance signalbox@NAME and its configuration'
complete -c signalbox -n '__signalbox_operand check 0 further' -a '(__signalbox_configurations)'
complete -c signalbox -n __fish_use_subcommand -a state -d 'show or change the state of durable graphs'
complete -c signalbox -n '__fish_seen_subcommand_from state' -l state -r -F -d 'the state folder'
complete -c signalbox -n '__fish_seen_subcommand_from state' -s c -l config -x -a '(__signalbox_configurations)' -d 'the configuration that sets the folder'
complete -c signalbox -n '__fish_seen_subcommand_from state' -s s -l socket -r -F -d 'the socket of the daemon that uses the folder (else $SIGNALBOX_SOCKET, else /run/signalbox/signalbox.sock)'
complete -c signalbox -n '__fish_seen_subcommand_from state' -l cluster -x -d 'with import and repair: the log of a clustered graph, not the folder'
complete -c signalbox -n '__fish_seen_subcommand_from state' -s n -l dry-run -d 'report the changes without applying them'
complete -c signalbox -n '__signalbox_operand state 0' -a 'reset repair export import'
complete -c signalbox -n '__signalbox_operand state 1 further' -F
complete -c signalbox -n __fish_use_subcommand -a history -d 'print the inputs of durable graphs'
complete -c signalbox -n '__fish_seen_subcommand_from history' -l test -x -d 'print a test with that name'
complete -c signalbox -n '__fish_seen_subcommand_from history' -l values -d 'print the values of signals instead of their inputs'
complete -c signalbox -n '__fish_seen_subcommand_from history' -l step -x -d 'with --values: the last value of each such interval'
complete -c signalbox -n '__fish_seen_subcommand_from history' -l extremes -d 'with --step: also the lowest and the highest value of each interval'
complete -c signalbox -n '__fish_seen_subcommand_from history' -l within -x -d 'with --values: the longest time to replay'
complete -c signalbox -n '__fish_seen_subcommand_from history' -l since -x -d 'start: a timestamp such as 2026-05-01T12:00:00Z, or a duration ago'
complete -c signalbox -n '__fish_seen_subcommand_from history' -l until -x -d 'end: a timestamp, or a duration ago'
complete -c signalbox -n '__fish_seen_subcommand_from history' -l state -r -F -d 'the state folder'
complete -c signalbox -n '__fish_seen_subcommand_from history' -s c -l config -x -a '(__signalbox_configurations)' -d 'the configuration that sets the folder'
complete -c signalbox -n '__fish_seen_subcommand_from history' -s s -l socket -r -F -d 'the socket of the daemon that uses the folder (else $SIGNALBOX_SOCKET, else /run/signalbox/signalbox.sock)'
complete -c signalbox -n '__signalbox_operand history 0 further' -a '(__signalbox_listed "{ print \$1 }")'
complete -c signalbox -n __fish_use_subcommand -a why -d 'explain the provenance of a value of a durable graph'
complete -c signalbox -n '__fish_seen_subcommand_from why' -l at -x -d 'the value held at that time: a timestamp, or a duration ago'
complete -c signalbox -n '__fish_seen_subcommand_from why' -l not -d 'explain the absence of a value, at --at or now'
complete -c signalbox -n '__fish_seen_subcommand_from why' -l depth -x -d 'depth to which other values read are followed, from 0 (default) to 100'
complete -c signalbox -n '__fish_seen_subcommand_from why' -l verify -d 'verify: replay only the needed inputs; status 1 if the value differs'
complete -c signalbox -n '__fish_seen_subcommand_from why' -s f -l format -x -a 'text json svg' -d 'text (default), json, or svg (the graph with the path)'
complete -c signalbox -n '__fish_seen_subcommand_from why' -s j -l json -d 'the same as --format json'
complete -c signalbox -n '__fish_seen_subcommand_from why' -l state -r -F -d 'the state folder'
complete -c signalbox -n '__fish_seen_subcommand_from why' -s c -l config -x -a '(__signalbox_configurations)' -d 'the configuration that sets the folder'
complete -c signalbox -n '__fish_seen_subcommand_from why' -s s -l socket -r -F -d 'the socket of the daemon that uses the folder (else $SIGNALBOX_SOCKET, else /run/signalbox/signalbox.sock)'
complete -c signalbox -n '__signalbox_operand why 0 further' -a '(__signalbox_listed "{ print \$1 }")'
complete -c signalbox -n __fish_use_subcommand -a test -d 'run the tests of a configuration, in virtual time'
complete -c signalbox -n '__fish_seen_subcommand_from test' -s c -l config -x -a '(__signalbox_configurations)' -d 'read it as the daemon does, including conf.d'
complete -c signalbox -n '__fish_seen_subcommand_from test' -s f -l filter -x -d 'only tests whose name contains TEXT'
complete -c signalbox -n '__fish_seen_subcommand_from test' -l junit -r -F -d 'also write a JUnit XML report; - for standard output'
complete -c signalbox -n '__fish_seen_subcommand_from test' -l restarts -d 'encode and rebuild all graphs between any two instants, as after a crash of the daemon'
complete -c signalbox -n '__fish_seen_subcommand_from test' -l why -d 'explain each difference: the provenance of the value, or where it was dropped'
complete -c signalbox -n '__fish_seen_subcommand_from test' -s j -l json -d 'print each result as a line of JSON'
complete -c signalbox -n '__fish_seen_subcommand_from test' -s v -l verbose -d 'also list passed tests'
complete -c signalbox -n '__signalbox_operand test 0 further' -a '(__signalbox_configurations)'
complete -c signalbox -n __fish_use_subcommand -a simulate -d 'run a configuration on recorded events'
complete -c signalbox -n '__fish_seen_subcommand_from simulate' -l start -x -d 'start of the virtual time'
complete -c signalbox -n '__fish_seen_subcommand_from simulate' -l until -x -d 'end of the virtual time, or the duration from the start'
complete -c signalbox -n '__fish_seen_subcommand_from simulate' -l why -x -d 'explain a value: the last one, or SEQ'
complete -c signalbox -n '__fish_seen_subcommand_from simulate' -l skip-computed -d 'skip lines of computed signals'
complete -c signalbox -n '__signalbox_operand simulate 0' -a '(__signalbox_configurations)'
complete -c signalbox -n '__signalbox_operand simulate 1 further' -a '(__signalbox_listed "{ print \$1 }")'
complete -c signalbox -n __fish_use_subcommand -a graph -d 'draw the graphs of a configuration'
complete -c signalbox -n '__fish_seen_subcommand_from graph' -s c -l config -x -a '(__signalbox_configurations)' -d 'read it as the daemon does, including conf.d'
complete -c signalbox -n '__fish_seen_subcommand_from graph' -s f -l format -x -a 'svg text mermaid dot' -d 'svg, text (a tree; default on a terminal), mermaid, or dot (default in a pipe; for Graphviz)'
complete -c signalbox -n '__fish_seen_subcommand_from graph' -s o -l output -r -F -d 'write to FILE; the extension .svg, .txt, .mmd or .dot also selects the format'
complete -c signalbox -n '__fish_seen_subcommand_from graph' -l only -x -a '(__signalbox_listed "\$1 !~ /^signalbox[.]/ { sub(/\\..*/, \"\", \$1); if (!seen[\$1]++) print \$1 }")' -d 'draw only this graph'
complete -c signalbox -n '__fish_seen_subcommand_from graph' -l fold-chains -d 'draw signals in a row, each computed from the one before alone, as one (not as text)'
complete -c signalbox -n '__signalbox_operand graph 0 further' -a '(__signalbox_configurations)'
complete -c signalbox -n __fish_use_subcommand -a view -d 'show the graphs live in a browser'
complete -c signalbox -n '__fish_seen_subcommand_from view' -s c -l config -x -a '(__signalbox_configurations)' -d 'the configuration to draw (/etc/signalbox/signalbox.yaml)'
complete -c signalbox -n '__fish_seen_subcommand_from view' -l state -r -F -d 'the folder with the state of durable graphs'
complete -c signalbox -n __fish_use_subcommand -a operators -d 'show the reference of operators and sources'
complete -c signalbox -n '__fish_seen_subcommand_from operators' -s j -l json -d 'print each as a line of JSON'
complete -c signalbox -n '__signalbox_operand operators 0 further' -a '(__signalbox_operators)'
complete -c signalbox -n __fish_use_subcommand -a schema -d 'print the JSON Schema of a configuration, for editors'
complete -c signalbox -n __fish_use_subcommand -a completions -d 'print a shell completion script'
complete -c signalbox -n '__signalbox_operand completions 0 further' -a 'bash zsh fish'
complete -c signalbox -n __fish_use_subcommand -a manual -d 'print a page of the manual, for man(1)'
complete -c signalbox -n '__signalbox_operand manual 0 further' -a 'signalbox signalbox.yaml'
complete -c signalbox -n __fish_use_subcommand -a help -d 'show help for all commands, or for one'
complete -c signalbox -n '__signalbox_operand help 0 further' -a 'send subscribe get values wait watch call list describe stats top connections cluster ping reload restart record replay init dev check state history why test simulate graph view operators schema completions manual help'
