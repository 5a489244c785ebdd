# What both walkthroughs share; they source this file, and so can an interactive bash:
#   source docs/walkthrough/requests.sh
# Needs curl and jq (https://jqlang.org). PORT is the port of the service, 3000 where it is not set.
A=http://127.0.0.1:${PORT:-3000}
J='content-type: application/json'
TOKENS=$(mktemp -d)
ME=me@example.org COLLEAGUE=colleague@example.org STUDENT=${STUDENT:-student1.sandbox@example.org} TEACHER=teacher1.sandbox@example.org
secret() { case $1 in $ME) echo "a long secret" ;; $COLLEAGUE) echo "another secret" ;; *) echo demo-literacy-2026 ;; esac; }

# `as WHO METHOD PATH …`: a request by that person; fails where the status is 400 or above. A token is valid for
# 15 minutes: it is kept in a file, and the person signs in again when it is older than 14.
login() { curl -s --fail-with-body $A/api/auth/login -H "$J" -d "{\"email\":\"$1\",\"password\":\"$(secret $1)\"}" | jq -r .accessToken; }
as() {
  local WHO=$1 METHOD=$2 URL=$A$3; shift 3
  [ -n "$(find "$TOKENS/$WHO" -mmin -14 2>/dev/null)" ] || login "$WHO" >"$TOKENS/$WHO"
  curl -s --fail-with-body -X "$METHOD" "$URL" -H "$J" -H "authorization: Bearer $(cat "$TOKENS/$WHO")" "$@"
}

# `wait_until WHO PATH STATE`: reads PATH until its `state` is STATE, for two minutes at most.
wait_until() {
  for _ in $(seq 240); do
    [ "$(as "$1" GET "$2" | jq -r .state)" != "$3" ] || return 0
    sleep 0.5
  done
  echo "$2 has not become $3" >&2
  return 1
}

# The first registration makes the administrator of the whole service; afterwards registration is closed, and the same
# account signs in. Where another person has registered first: use that account, or delete .data to start anew.
register_me() { curl -s $A/api/auth/register -H "$J" -d "{\"email\":\"$ME\",\"password\":\"$(secret $ME)\",\"fullNameAr\":\"مديرة النظام\",\"primaryPersona\":\"ADMIN\"}" | jq -c '.user // .code'; }
uuid() { node -p 'crypto.randomUUID()'; }
