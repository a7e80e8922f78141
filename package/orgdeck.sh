#!/bin/sh
# Starts orgdeck with the Node beside it. PATH may be empty.
here=$0
case $here in */*) ;; *) here=./$here ;; esac
while [ -L "$here" ]; do
  to=$(PATH=/usr/bin:/bin readlink "$here")
  case $to in /*) here=$to ;; *) here=${here%/*}/$to ;; esac
done
here=${here%/*}
exec "$here/node/bin/node" "$here/package/dist/orgdeck.js" "$@"
