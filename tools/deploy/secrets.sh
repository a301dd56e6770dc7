#!/bin/sh
# Makes a password for the database: where it is asked for one, and where the servers say it. Nobody has to read it.
set -eu
cd "$(dirname "$0")"
[ ! -e secrets ] || { echo "secrets/ is there already; it stays as it is." >&2; exit 1; }
mkdir -m 700 secrets
password=$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')
printf '%s' "$password" > secrets/password
printf '[rulewright]\nhost=database\ndbname=rulewright\nuser=rulewright\npassword=%s\n' "$password" > secrets/database
# The folder keeps others out; in a container whoever runs there must be able to read them.
chmod 644 secrets/password secrets/database
