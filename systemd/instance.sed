# Makes the units of an instance, signalbox@.service and signalbox@.socket, of those of the one service: each instance has
# its own folder of configuration, /etc/signalbox/NAME, its own socket, /run/signalbox-NAME/signalbox.sock, and its own
# state, /var/lib/signalbox-NAME.
s/^Description=.*/&, instance %i/
s/signalbox\.socket$/signalbox@%i.socket/
s,/etc/signalbox/,/etc/signalbox/%i/,
s,/run/signalbox/,/run/signalbox-%i/,
s/^\(Runtime\|State\)Directory=signalbox$/&-%i/
s,^Exec.*/bin/signalbox.*,& --socket /run/signalbox-%i/signalbox.sock,
