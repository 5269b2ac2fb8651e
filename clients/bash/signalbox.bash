# Functions that talk with the signalbox daemon, for bash 4.4 and later, with socat. To be sourced:
#
#   source signalbox.bash
#   signalbox_send hello.name '"bash"'
#   signalbox_follow 'hello.*' | while signalbox_read; do echo "$SIGNALBOX_SIGNAL is $SIGNALBOX_VALUE"; done
#
# Values are JSON. A function that fails says why on standard error, and ends with the status that SIGNALBOX_STATUS has for
# the code of the error. SIGNALBOX_SOCKET names another socket.
# shellcheck shell=bash disable=SC2030,SC2031  # each subshell has its own

: "${SIGNALBOX_BACKOFF:=100}" "${SIGNALBOX_LONGEST_BACKOFF:=10000}" # Milliseconds

# Begin of what clients/generate makes
# The codes of errors, and the exit status of each: that of the command line.
declare -gA SIGNALBOX_STATUS=(
  [bad_json]=65
  [bad_request]=64
  [unknown_op]=76
  [unknown_signal]=68
  [unknown_action]=68
  [not_an_input]=64
  [bad_value]=65
  [ended]=1
  [already_subscribed]=64
  [not_subscribed]=64
  [no_value]=75
  [unknown_graph]=68
  [bad_config]=78
  [failed]=1
  [denied]=77
  [disabled]=75
  [busy]=75
  [too_long]=65
  [too_deep]=65
  [too_many]=75
  [expired]=75
  [timeout]=75
  [storage]=75
  [unavailable]=75
  [http]=1
  [connect]=1
  [tls]=1
  [too_large]=1
  [shutting_down]=69
  [restarted]=69
  [internal]=70
  [connection_lost]=69
)
# End of what clients/generate makes

# signalbox_quote TEXT: prints it as a JSON string.
signalbox_quote() {
  local LC_ALL=C text=$1 number character escape
  text=${text//\\/\\\\}
  text=${text//\"/\\\"}
  if [[ $text == *[$'\001'-$'\037']* ]]; then
    for ((number = 1; number < 32; number++)); do
      printf -v escape '\\u%04x' "$number"
      printf -v character '%b' "\\x$(printf %x "$number")"
      text=${text//"$character"/"$escape"}
    done
  fi
  printf '"%s"' "$text"
}

# signalbox_message_id: prints a message_id that nobody else has.
signalbox_message_id() { cat /proc/sys/kernel/random/uuid; }

# --- Connections, each in a subshell of its own

# Connects: $_in is to be read and $_out to be written. The socket is closed when this shell ends, however that may be.
_signalbox_connect() {
  _signalbox_disconnect
  exec {_out}<> <(:)
  exec {_in}< <(exec socat -t 0 - "UNIX-CONNECT:${SIGNALBOX_SOCKET:-/run/signalbox/signalbox.sock}" \
    </dev/fd/"$_out" {_out}>&- 2>/dev/null)
}

_signalbox_disconnect() {
  if [[ -n ${_out-} ]]; then exec {_out}>&- {_in}<&-; fi
  _out='' _in=''
}

_signalbox_write() { { printf '%s\n' "$1" >&"$_out"; } 2>/dev/null; }

# Reads a whole line into $_line.
_signalbox_line() { IFS= read -r -u "$_in" _line; }

# Waits before another attempt: twice as long each time, less a random part of up to one half.
_signalbox_pause() {
  local milliseconds=$((_pause - RANDOM * (_pause / 2) / 32767))
  _pause=$((_pause * 2 > 0 ? _pause * 2 : 1))
  if ((_pause > SIGNALBOX_LONGEST_BACKOFF)); then _pause=$SIGNALBOX_LONGEST_BACKOFF; fi
  sleep "$((milliseconds / 1000)).$(printf %03d $((milliseconds % 1000)))"
}

# The code of the error in $_line: empty if it is none.
_signalbox_code() {
  _code=''
  if [[ $_line =~ ^\{\"reply\":\"error\".*\"error\":\{\"code\":\"([a-z_]+)\" ]]; then _code=${BASH_REMATCH[1]}; fi
}

# Says why, and ends the subshell. A code that this version does not know has the status of an invalid response.
_signalbox_fail() {
  printf 'signalbox: %s: %s\n' "$1" "$2" >&2
  exit "${SIGNALBOX_STATUS[$1]:-76}"
}

# Fails with the status of an invalid response: LINE.
_signalbox_invalid() {
  printf 'signalbox: invalid response from daemon: %s\n' "$1" >&2
  return 76
}

# Fails with the status of an invalid command line unless there are so many operands: FUNCTION COUNT OPERAND...
_signalbox_operands() {
  (($# - 2 < $2)) || return 0
  printf 'signalbox: bad_request: missing operand of %s\n' "$1" >&2
  return "${SIGNALBOX_STATUS[bad_request]}"
}

# --- Requests

# signalbox_request [--repeat] FIELDS: sends {FIELDS} as docs/protocol.md has it, and prints the line that answers it. With
# --repeat it is sent again when a connection ended before its answer; without, that is connection_lost.
signalbox_request() (
  set +eu
  trap '' PIPE
  repeats=no
  if [[ $1 == --repeat ]]; then repeats=yes && shift; fi
  _pause=$SIGNALBOX_BACKOFF
  while true; do
    _signalbox_connect
    # The answer shows that there is a daemon: one that is not there may be waited for.
    [[ $repeats == yes ]] || _signalbox_write '{"op":"ping","id":0}'
    if [[ $repeats == yes ]] || { _signalbox_line && [[ $_line == *'"id":0'* ]]; }; then
      _signalbox_write "{\"id\":1,$1}"
      if _signalbox_line; then
        _signalbox_code
        case $repeats:$_code:$_line in
          *:too_many:*'"id":'* | no:shutting_down:*'"id":'*) _signalbox_fail "$_code" "$_line" ;;
          *:too_many:* | *:shutting_down:*) ;;
          *::*) printf '%s\n' "$_line" && exit ;;
          *) _signalbox_fail "$_code" "$_line" ;;
        esac
      elif [[ $repeats == no ]]; then
        _signalbox_fail connection_lost "the connection closed before the answer"
      fi
    fi
    _signalbox_pause
  done
)

# signalbox_send [--message-id ID] SIGNAL VALUE: sends a value, and prints its number. With a message id it is sent again
# until the daemon has answered; a durable graph takes it once.
signalbox_send() { _signalbox_send value "$@"; }

# signalbox_send_values [--message-id ID] SIGNAL ARRAY: sends several values, with no other client's value between.
signalbox_send_values() { _signalbox_send values "$@"; }

# signalbox_end [--message-id ID] SIGNAL EVENT [ERROR]: ends a signal: completed, interrupted, or failed with an error
# {"code":…,"message":…}.
signalbox_end() { _signalbox_send event "$@"; }

_signalbox_send() {
  local key=$1 options=() more='' line
  shift
  if [[ ${1-} == --message-id ]]; then
    options=(--repeat) more=",\"message_id\":$(signalbox_quote "$2")"
    shift 2
  fi
  _signalbox_operands "signalbox_send" 2 "$@" || return
  if [[ $key == event ]]; then
    [[ -z ${3-} ]] || more+=",\"error\":$3"
    set -- "$1" "\"$2\""
  fi
  line=$(signalbox_request "${options[@]}" "\"op\":\"send\",\"signal\":$(signalbox_quote "$1"),\"$key\":$2$more") || return
  [[ $line =~ \"seq\":([0-9]+|null) ]] || _signalbox_invalid "$line" || return
  printf '%s\n' "${BASH_REMATCH[1]}"
}

# signalbox_get SIGNAL: prints the value that it holds. The variable SIGNALBOX_SEQ has its number, unless in a subshell.
signalbox_get() {
  local line
  _signalbox_operands signalbox_get 1 "$@" || return
  line=$(signalbox_request --repeat "\"op\":\"get\",\"signal\":$(signalbox_quote "$1")") || return
  [[ $line =~ ^(.*),\"ended\":\{\"event\":\"[a-z]+\".*,\"at\":\"[^\"]*\"\}\}$ ]] && line="${BASH_REMATCH[1]}}"
  [[ $line =~ \"seq\":([0-9]+),\"value\":(.*)\}$ ]] || _signalbox_invalid "$line" || return
  SIGNALBOX_SEQ=${BASH_REMATCH[1]}
  printf '%s\n' "${BASH_REMATCH[2]}"
}

# signalbox_list [PATTERN]: prints the names of the signals that this client may see.
signalbox_list() {
  local line
  line=$(signalbox_request --repeat "\"op\":\"list\"${1:+,\"pattern\":$(signalbox_quote "$1")}") || return
  while [[ $line =~ \{\"signal\":\"([^\"]*)\",\"kind\":(.*) ]]; do
    printf '%s\n' "${BASH_REMATCH[1]}"
    line=${BASH_REMATCH[2]}
  done
}

# signalbox_describe SIGNAL: prints the line that tells its declaration and state.
signalbox_describe() {
  _signalbox_operands signalbox_describe 1 "$@" || return
  signalbox_request --repeat "\"op\":\"describe\",\"signal\":$(signalbox_quote "$1")"
}

# signalbox_ping: waits for the daemon.
signalbox_ping() { signalbox_request --repeat '"op":"ping"' >/dev/null; }

# signalbox_hello: prints the line that tells the daemon's version, its epoch and its limits.
signalbox_hello() { signalbox_request --repeat '"op":"hello","protocol":1'; }

# signalbox_call ACTION [VALUE]: calls an action, and prints a line for each output. Killing the shell in which it runs ends
# the program.
signalbox_call() (
  set +eu
  trap '' PIPE
  _signalbox_operands signalbox_call 1 "$@" || exit
  _pause=$SIGNALBOX_BACKOFF
  while true; do
    _signalbox_connect
    _signalbox_write '{"op":"ping","id":0}'
    if _signalbox_line && [[ $_line == *'"id":0'* ]]; then break; fi
    _signalbox_pause
  done
  _signalbox_write "{\"op\":\"call\",\"id\":1,\"action\":$(signalbox_quote "$1")${2+,\"value\":$2}}"
  while _signalbox_line; do
    if [[ $_line =~ ^\{\"event\":\"next\",\"call\":1,\"value\":(.*)\}$ ]]; then
      printf '%s\n' "${BASH_REMATCH[1]}" 2>/dev/null || exit 0
    else
      _signalbox_code
      [[ -z $_code ]] || _signalbox_fail "$_code" "$_line"
      exit
    fi
  done
  _signalbox_fail connection_lost "the connection closed before the answer"
)

# --- Subscriptions

# signalbox_follow SIGNAL [--replay N] [--take N] [--where EXPR] [--every DURATION] [--heartbeat DURATION] [--overflow RULE]
#   [--timestamps] [--position JSON] [--begun]
#
# Prints the events of a signal or a pattern, one JSON line each, until there are no more: those of docs/protocol.md and
#   {"event":"expired","signal":S,"from":N,"oldest":N}   values between these numbers are lost; 0 if that is not known
#   {"event":"restarted","signal":S,"epoch":E}           the numbers begin anew, and values before this may be missing
# With --begun the first line is {"event":"begun"}, when the daemon has answered. While nobody reads the lines, the
# connection is not read. Killing the shell in which it runs unsubscribes; so does closing the pipe, with the next event.
# As with `signalbox subscribe`, the status tells how a signal ended: 0 if it completed, 1 if it failed or was interrupted,
# 68 if it was removed, 77 if the permission was revoked.
signalbox_follow() (
  set +eu
  trap '' PIPE
  LC_ALL=C
  _signalbox_operands signalbox_follow 1 "$@" || exit
  _status=0
  _signal=$1 _fields='' _replay='' _left='' _begun=no _position=''
  _is_thinned=no _has_begun=no _has_from=no _is_resumed=no _is_settled=no _is_answered=no _is_over=no
  _epoch='' _oldest=0 _pause=$SIGNALBOX_BACKOFF
  declare -A _seq=() _floor=() _epochs=() _ended=() _reached=()
  shift
  while (($# > 0)); do
    case $1 in
      --replay) _replay=$2 && shift ;;
      --take) _left=$2 && shift ;;
      --where | --every) _is_thinned=yes _fields+=",\"${1#--}\":$(signalbox_quote "$2")" && shift ;;
      --heartbeat | --overflow) _fields+=",\"${1#--}\":$(signalbox_quote "$2")" && shift ;;
      --timestamps) _fields+=',"timestamps":true' ;;
      --position) _position=$2 && shift ;;
      --begun) _begun=yes ;;
      *) _signalbox_fail bad_request "unknown option $1 of signalbox_follow" ;;
    esac
    shift
  done
  while [[ $_position =~ \"([^\"]+)\":[[:space:]]*\{\"seq\":[[:space:]]*([0-9]+),[[:space:]]*\"epoch\":[[:space:]]*\"([^\"]*)\"\}(.*) ]]; do
    _signalbox_place "${BASH_REMATCH[1]}" "${BASH_REMATCH[3]}" "${BASH_REMATCH[2]}" 0
    _has_begun=yes _position=${BASH_REMATCH[4]}
  done
  while true; do
    _signalbox_connect
    _signalbox_write '{"op":"hello","id":0,"protocol":1}'
    _signalbox_ask yes
    while _signalbox_line && _signalbox_take; do
      if [[ $_is_over == yes ]]; then exit "$_status"; fi
    done
    _signalbox_disconnect
    _signalbox_pause
  done
)

_signalbox_tell() { printf '%s\n' "$1" 2>/dev/null || exit 0; }

_signalbox_tell_expired() { _signalbox_tell "{\"event\":\"expired\",\"signal\":\"$1\",\"from\":$2,\"oldest\":$3}"; }

# Sets how far the values of a signal have come: SIGNAL EPOCH SEQ FLOOR; SEQ is empty while all that is retained may come.
_signalbox_place() { _epochs[$1]=$2 _seq[$1]=$3 _floor[$1]=$4 _ended[$1]=no; }

# Sets $_base, above which no value may be missing.
_signalbox_base() { ((_base = ${_seq[$1]:-0} > ${_floor[$1]} ? ${_seq[$1]:-0} : ${_floor[$1]}, 1)); }

# Subscribes, with the places from which to go on or without.
_signalbox_ask() {
  local places='' signal line="{\"op\":\"subscribe\",\"id\":1,\"signal\":\"$_signal\"$_fields${_left:+,\"take\":$_left}"
  _has_from=no
  if [[ $_has_begun == no ]]; then
    _signalbox_write "$line${_replay:+,\"replay\":$_replay}}"
    return
  fi
  if [[ $1 == yes ]]; then
    for signal in "${!_seq[@]}"; do
      if [[ -z ${_seq[$signal]} ]]; then continue; fi
      _has_from=yes places+=",\"$signal\":{\"seq\":${_seq[$signal]},\"epoch\":\"${_epochs[$signal]}\"}"
    done
  fi
  case $_has_from:$_signal in
    no:*) ;;
    *:*\**) line+=",\"from\":{${places#,}}" ;;
    *) line+=",\"from\":${_seq[$_signal]},\"epoch\":\"${_epochs[$_signal]}\"" ;;
  esac
  _signalbox_write "$line}"
}

# Takes $_line. Fails if another connection may do better.
_signalbox_take() {
  case $_line in
    '{"event":"next"'*) _signalbox_take_value ;;
    '{"event":'*) _signalbox_take_event ;;
    '{"reply":"hello"'*)
      [[ $_line =~ \"epoch\":\"([^\"]*)\" ]] && _epoch=${BASH_REMATCH[1]}
      _pause=$SIGNALBOX_BACKOFF
      ;;
    '{"reply":"subscribe"'*)
      _signalbox_write '{"op":"ping","id":2}'
      _signalbox_begin
      ;;
    '{"reply":"ping"'*) _signalbox_settle ;;
    '{"reply":"error"'*) _signalbox_refuse ;;
  esac
}

_signalbox_begin() {
  local rest=$_line all=$_epoch signal seq epoch told=no
  [[ $_line =~ \],\"epoch\":\"([^\"]*)\"\}$ ]] && all=${BASH_REMATCH[1]}
  _is_resumed=$_has_begun _has_begun=yes _is_settled=no _reached=()
  if [[ $_is_answered == no && $_begun == yes ]]; then _signalbox_tell '{"event":"begun"}'; fi
  _is_answered=yes
  while [[ $rest =~ \{\"signal\":\"([^\"]*)\",\"seq\":([0-9]+)(,\"epoch\":\"([^\"]*)\")?\}(.*)$ ]]; do
    signal=${BASH_REMATCH[1]} seq=${BASH_REMATCH[2]} epoch=${BASH_REMATCH[4]:-$all} rest=${BASH_REMATCH[5]}
    _reached[$signal]=$seq
    told=${_epochs[$signal]+yes}
    if [[ -z $told ]]; then
      _signalbox_first_place "$signal" "$epoch" "$seq"
      if [[ $_is_resumed == yes && $_signal == *\** ]]; then
        _signalbox_tell "{\"event\":\"subscribed\",\"signal\":\"$signal\",\"seq\":$seq}"
      fi
      continue
    fi
    _signalbox_base "$signal"
    if [[ $_has_from == yes ]]; then continue; fi
    if [[ ${_epochs[$signal]} != "$epoch" ]] || ((seq < _base)); then
      _signalbox_place "$signal" "$epoch" '' "$seq"
      _signalbox_tell "{\"event\":\"restarted\",\"signal\":\"$signal\",\"epoch\":\"$epoch\"}"
    elif [[ $_is_resumed == yes && $_is_thinned == yes ]] && ((seq > _base)); then
      # Another break must not tell it again.
      _seq[$signal]=$((_oldest > _base ? _oldest - 1 : _base))
      _signalbox_tell_expired "$signal" "$_base" "$_oldest"
    fi
  done
  for signal in "${!_epochs[@]}"; do
    if [[ -n ${_reached[$signal]-} ]]; then continue; fi
    if [[ ${_ended[$signal]} == no ]]; then
      _signalbox_tell "{\"event\":\"interrupted\",\"signal\":\"$signal\",\"reason\":\"removed\"}"
    fi
    _signalbox_forget "$signal"
  done
  return 0
}

_signalbox_first_place() {
  if [[ $3 == 0 || $_replay == 0 ]]; then
    _signalbox_place "$1" "$2" "$3" 0
  elif [[ -n $_replay && $_is_thinned == no && $_is_resumed == no ]]; then
    _signalbox_place "$1" "$2" $(($3 > _replay ? $3 - _replay : 0)) "$3"
  else
    _signalbox_place "$1" "$2" '' "$3"
  fi
}

_signalbox_forget() { unset "_epochs[$1]" "_seq[$1]" "_floor[$1]" "_ended[$1]"; }

_signalbox_refuse() {
  _signalbox_code
  if [[ $_line == *'"op":"hello"'* ]]; then _signalbox_fail "$_code" "$_line"; fi
  case $_has_from:$_code in
    yes:expired | yes:bad_request | yes:too_long)
      # Ask for all that is retained: what had come is passed over, and numbers tell what is missing.
      _oldest=0
      if [[ $_line != *'"epoch":"'* && $_line =~ \"oldest\":([0-9]+) ]]; then _oldest=${BASH_REMATCH[1]}; fi
      _signalbox_ask no
      ;;
    *:too_many | *:shutting_down | *:unavailable | *:storage) return 1 ;;
    *:unknown_signal | *:denied)
      if [[ $_is_answered == no ]]; then _signalbox_fail "$_code" "$_line"; fi
      _is_over=yes _status=${SIGNALBOX_STATUS[$_code]}
      _signalbox_tell \
        "{\"event\":\"interrupted\",\"signal\":\"$_signal\",\"reason\":\"${_code/unknown_signal/removed}\"}"
      ;;
    *) _signalbox_fail "$_code" "$_line" ;;
  esac
}

# Takes note that all that was retained has come.
_signalbox_settle() {
  local signal seq
  _is_settled=yes
  for signal in "${!_reached[@]}"; do
    if [[ -z ${_epochs[$signal]-} ]]; then continue; fi
    seq=${_reached[$signal]}
    _signalbox_base "$signal"
    if [[ $_is_thinned == no && ( -n ${_seq[$signal]} || ${_floor[$signal]} != 0 ) ]] && ((seq > _base)); then
      _signalbox_tell_expired "$signal" "$_base" $((seq + 1))
    fi
    _seq[$signal]=$((seq > ${_seq[$signal]:-0} ? seq : ${_seq[$signal]:-0})) _floor[$signal]=0
  done
}

_signalbox_take_value() {
  local signal seq
  [[ $_line =~ ^\{\"event\":\"next\",\"signal\":\"([^\"]*)\",\"seq\":([0-9]+) ]] || return 0
  signal=${BASH_REMATCH[1]} seq=${BASH_REMATCH[2]}
  if [[ -z ${_epochs[$signal]-} ]]; then _signalbox_place "$signal" "$_epoch" '' 0; fi
  if [[ -n ${_seq[$signal]} ]] && ((seq <= _seq[$signal])); then return 0; fi
  _signalbox_base "$signal"
  if [[ $_is_thinned == no && ( -n ${_seq[$signal]} || ${_floor[$signal]} != 0 ) ]] && ((seq > _base + 1)); then
    _signalbox_tell_expired "$signal" "$_base" "$seq"
  fi
  _seq[$signal]=$seq _floor[$signal]=0 _ended[$signal]=no
  _signalbox_tell "$_line"
  if [[ -n $_left ]] && ((--_left == 0)); then
    _is_over=yes
    _signalbox_tell "{\"event\":\"ended\",\"signal\":\"$_signal\",\"reason\":\"take\"}"
  fi
  return 0
}

_signalbox_take_event() {
  local kind signal number epoch=''
  [[ $_line =~ ^\{\"event\":\"([a-z]+)\",\"signal\":\"([^\"]*)\" ]] || return 0
  kind=${BASH_REMATCH[1]} signal=${BASH_REMATCH[2]}
  # The signal has not ended; but this connection may stay open, and would tell no more of it.
  if [[ $kind == interrupted && $_line == *'"reason":"restarted"'* ]]; then return 1; fi
  if [[ -z ${_epochs[$signal]-} && $kind != ended ]]; then _signalbox_place "$signal" "$_epoch" '' 0; fi
  [[ $_line =~ \"(seq|dropped)\":([0-9]+) ]] && number=${BASH_REMATCH[2]}
  [[ $_line =~ \"epoch\":\"([^\"]*)\" ]] && epoch=${BASH_REMATCH[1]}
  case $kind in
    ended) _is_over=yes ;;
    completed | failed | interrupted)
      # A signal has not ended with the daemon: the next one goes on with it.
      if [[ ${_ended[$signal]} == yes || $_line == *'"reason":"shutting_down"'* ]]; then return 0; fi
      _ended[$signal]=yes
      if [[ $_signal != *\** ]]; then
        _is_over=yes
        case $kind:$_line in
          completed:*) ;;
          interrupted:*'"reason":"removed"'*) _status=${SIGNALBOX_STATUS[unknown_signal]} ;;
          interrupted:*'"reason":"denied"'*) _status=${SIGNALBOX_STATUS[denied]} ;;
          *) _status=${SIGNALBOX_STATUS[failed]} ;;
        esac
      fi
      if [[ $_line == *'"reason":'* && $kind == interrupted ]]; then _signalbox_forget "$signal"; fi
      ;;
    lagged)
      if [[ -z ${_seq[$signal]} ]]; then
        _floor[$signal]=0
      else
        _seq[$signal]=$((_seq[$signal] + number))
        if [[ $_is_resumed == yes && $_is_settled == no ]] && ((_seq[$signal] <= _floor[$signal])); then return 0; fi
      fi
      ;;
    renewed)
      if [[ $_is_resumed == yes && $_is_settled == no ]]; then
        _signalbox_place "$signal" "$epoch" '' "${_reached[$signal]:-0}"
        _line="{\"event\":\"restarted\",\"signal\":\"$signal\",\"epoch\":\"$epoch\"}"
      else
        _epochs[$signal]=$epoch
      fi
      ;;
    subscribed) _signalbox_place "$signal" "${epoch:-$_epoch}" "$number" 0 ;;
    alive)
      if [[ $_is_settled == yes ]] && ((number > ${_seq[$signal]:-0})); then _seq[$signal]=$number; fi
      ;;
  esac
  _signalbox_tell "$_line"
}

# signalbox_read: reads one of these lines from standard input into SIGNALBOX_EVENT, SIGNALBOX_SIGNAL, SIGNALBOX_SEQ and
# SIGNALBOX_VALUE, and the whole into SIGNALBOX_LINE. Fails when there are no more.
# shellcheck disable=SC2034  # for the caller
signalbox_read() {
  IFS= read -r SIGNALBOX_LINE || return
  SIGNALBOX_EVENT='' SIGNALBOX_SIGNAL='' SIGNALBOX_SEQ='' SIGNALBOX_VALUE=''
  [[ $SIGNALBOX_LINE =~ ^\{\"event\":\"([a-z]+)\"(,\"signal\":\"([^\"]*)\")?(,\"seq\":([0-9]+))? ]] || return 0
  SIGNALBOX_EVENT=${BASH_REMATCH[1]} SIGNALBOX_SIGNAL=${BASH_REMATCH[3]} SIGNALBOX_SEQ=${BASH_REMATCH[5]}
  if [[ $SIGNALBOX_EVENT == next ]]; then
    SIGNALBOX_VALUE=${SIGNALBOX_LINE#"${BASH_REMATCH[0]},\"value\":"}
    SIGNALBOX_VALUE=${SIGNALBOX_VALUE%\}}
    [[ ! $SIGNALBOX_VALUE =~ ^(.*),\"at\":\"[0-9T:.Z-]*\"$ ]] || SIGNALBOX_VALUE=${BASH_REMATCH[1]}
  fi
  return 0
}
