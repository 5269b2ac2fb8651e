# Generates the instance units, such as signalbox@.service, from the plain ones: each instance has its own
# configuration directory, /etc/signalbox/NAME, its own socket, /run/signalbox-NAME/signalbox.sock, and its own state,
# /var/lib/signalbox-NAME.
s/^Description=.*/&, instance %i/
/^#/!s/signalbox\.\(socket\|service\)\>/signalbox@%i.\1/
s,/etc/signalbox/,/etc/signalbox/%i/,
s,/run/signalbox/,/run/signalbox-%i/,
s/^\(Runtime\|State\)Directory=signalbox$/&-%i/
s,^Exec.*/bin/signalbox.*,& --socket /run/signalbox-%i/signalbox.sock,
