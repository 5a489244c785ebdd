#!/usr/bin/env bash
# The main job, request by request, on the sandbox that `npm start` seeds: a diagnostic, statuses, recommendations, support,
# lessons, rewards, families, schools, rosters and the checks of the service. Every step can be repeated.
#   bash docs/walkthrough/main-job.sh
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/requests.sh"

# 1. The administrator of the whole service.
register_me
as $ME GET /api/auth/me | jq -c '{id, primaryPersona, permissions}'

# 2. Who can sign in to the demo (read-only). The sandbox has the same people and can be written to.
curl -s $A/api/demo/access | jq -c '.logins[]'

# 3. A student of the sandbox takes a diagnostic: start, then next-item and responses until the session is complete.
#    `speech` is what the child hears, `text` what the child sees. The pauses matter: a response within a tenth of the
#    expected time counts as a guess, and a session of guesses gives a cautionary status only.
SESSION=$(as $STUDENT POST /api/diagnostic-sessions/start -d '{}' | jq -r .sessionId) || {
  echo "$STUDENT has taken every part of the season. Set STUDENT to student2.sandbox@example.org, and so on." >&2
  exit 1
}
while ITEM=$(as $STUDENT POST /api/diagnostic-sessions/$SESSION/next-item); [ "$(jq -r .outcome <<<"$ITEM")" = item_served ]; do
  jq -r '.served | "hears: \(.prompt.speech)   sees: \(.prompt.text) \(.prompt.passage // "")", (.options[] | "  \(.index)  \(.text)")' <<<"$ITEM"
  sleep $(jq '[.served.expectedSeconds * 0.1, 0.8] | max + 0.2' <<<"$ITEM")
  as $STUDENT POST /api/diagnostic-sessions/$SESSION/responses \
    -d "{\"servedItemId\":\"$(jq -r .served.servedItemId <<<"$ITEM")\",\"selectedOptionIndex\":$((RANDOM % 3)),\"latencyMs\":4000}" >/dev/null
done
as $STUDENT POST /api/diagnostic-sessions/$SESSION/finish | jq -c

# 4. The finish queued a recompute, and a worker ran the five layers. The teacher reads the statuses …
ID=$(as $STUDENT GET /api/auth/me | jq .id)
as $TEACHER GET /api/sse/students/$ID/domain-status | jq -c '.domains[] | {domainCode, nameAr, status, outcome, ruleId, ruleVersion}'

# 5. … and replays the session: its estimates are the same again.
as $TEACHER POST /api/engine/replay/$SESSION | jq -c '{match, rowsWritten}'

# 6. The profile in words, the recommended intervention bundle, and why this one is recommended and the others are not.
as $TEACHER GET /api/students/$ID/profile | jq -c '{profileCode, modifiers, narrative, nextRecommendedDataAction}'
as $TEACHER GET /api/students/$ID/bundle-recommendation | jq -c '{outcome, recommended_bundle_id, action, scaffold_tier, compatible_delivery_mode}'
as $TEACHER GET /api/students/$ID/bundle-recommendation/why | jq -c '.because[], (.notChosen[] | select(.from) | {bundle_id, code, from})'

# 7. Which students of the class can be taught together, and which bundle and step each student is at.
CLASS=$(as $TEACHER GET /api/classes | jq '.items[0].id')
as $TEACHER POST /api/cluster/recompute/$CLASS -d '{}' | jq -c '.clusters[] | {clusterKey, memberStudentIds, activatable, notActivatableReason}'
as $TEACHER GET /api/classes/$CLASS/bundle-assignments | jq -c '.items[] | {studentId, bundle_id, state, currentStepNo, trackStatus}'

# 8. Who needs more support: the open alerts of the class with what would close each, and the class by what was delivered
#    and how the students responded.
as $TEACHER GET /api/rti/classes/$CLASS/alerts | jq -c '.items[] | {studentId, kind, severity, openedAt, clearsWhen}'
as $TEACHER GET /api/rti/classes/$CLASS/board | jq -c '.squares, (.items[] | select(.tier > 1))'
# What the evidence recommends for one student, and whether a decision is possible today. Only people decide: they send the
# id of the recommendation that they saw, and a reason code where they decide otherwise. The third tier needs a decision
# packet, so this decision may be refused (409); the response says why.
WORST=$(as $TEACHER GET /api/rti/classes/$CLASS/alerts | jq '.items[0].studentId')
as $TEACHER GET /api/rti/students/$WORST/recommendation >$TOKENS/recommendation.json
jq -c '{decision, fromTier, toTier, ruleId, dataSufficiency, reason, requiredPacket, decisionPossible}' $TOKENS/recommendation.json
as $TEACHER POST /api/rti/students/$WORST/decisions -d "$(jq '{recommendationId, decision}' $TOKENS/recommendation.json)" | jq -c . || true

# 9. The evidence is frozen into a decision packet for a meeting, with the gates that an approval has to pass, and printed.
PACKET=$(as $TEACHER POST /api/decision-packet-workflows/assemble -d "$(jq --argjson id $WORST '{studentId: $id, reviewType: (.requiredPacket // "tier_escalation")}' $TOKENS/recommendation.json)" | jq -r .packetId)
as $TEACHER GET /api/decision-packet-workflows/$PACKET | jq -c '{status, evidenceHash, recommendation: .recommendation.decision, gates}'
as $TEACHER GET /api/decision-packet-workflows/$PACKET/document >$TOKENS/packet.pdf && echo $TOKENS/packet.pdf

# 10. What to teach: a prepared lesson for each group at the step that the group has reached. It is assigned to the students,
#     accepted, and printed by a worker: student sheets, teacher's guide and answer key.
as $TEACHER GET "/api/sessions/catalog/recommended?classId=$CLASS" >$TOKENS/sessions.json
jq -c '.items[] | {bundle_id, stepNo, sessionRole, deliveryMode, recipientStudentIds}' $TOKENS/sessions.json
LESSON=$(as $TEACHER POST /api/sessions/from-blueprint -d "$(jq --argjson class $CLASS '.items[0] | {blueprintId, classId: $class, recipientStudentIds, deliveryMode}' $TOKENS/sessions.json)" | jq -r .sessionId)
as $TEACHER POST /api/sessions/$LESSON/accept -d '{}' | jq -c '{state, segments: [.segments[] | {kind, minutes}], recipients: [.recipients[] | {studentId, state, reasonCode}]}'
PAPERS=$(as $TEACHER POST /api/sessions/$LESSON/generate-pdfs -d '{"variants": ["student_sheet", "teacher_guide", "answer_key"]}' | jq -r .jobId)
wait_until $TEACHER /api/report-jobs/$PAPERS done
as $TEACHER GET /api/report-jobs/$PAPERS/file >$TOKENS/papers.zip && echo $TOKENS/papers.zip

# 11. The lesson is taught live: a student joins with the code, sees the current item and answers it.
LIVE=$(as $TEACHER POST /api/sync/sessions -d "{\"classId\": $CLASS, \"sessionId\": \"$LESSON\"}" | jq -c '{liveSessionId, joinCode}')
CODE=$(jq .joinCode <<<"$LIVE"); LIVE=/api/sync/sessions/$(jq -r .liveSessionId <<<"$LIVE")
as $STUDENT POST /api/sync/sessions/join -d "{\"joinCode\": $CODE}" | jq -c
as $TEACHER POST $LIVE/start -d '{}' | jq -c '{state, controlVersion}'
as $TEACHER POST $LIVE/events -d "{\"events\": [{\"clientEventId\": \"$(uuid)\", \"type\": \"segment_started\"}]}" | jq -c
for TURN in 1 2 3; do
  ITEM=$(as $STUDENT GET $LIVE/poll | jq -c .currentItem); jq -c '{promptAr, options}' <<<"$ITEM"
  as $STUDENT POST $LIVE/responses -d "{\"responses\": [{\"clientResponseId\": \"$(uuid)\", \"itemRef\": $(jq .itemRef <<<"$ITEM"), \"selectedOptionIndex\": $((RANDOM % 2))}]}" | jq -c
  as $TEACHER POST $LIVE/control -d '{"action": "next"}' | jq -c
done
# The end of the live lesson records a delivery for the assignment of every student who was present.
as $TEACHER POST $LIVE/control -d '{"action": "end"}' | jq -c
as $TEACHER GET $LIVE/summary | jq -c '{state, perStudent, deliveries}'
as $TEACHER GET /api/sessions/$LESSON | jq -c '{state, deliveredOn}'

# 12. Rewards follow growth: what the rise of a status has brought to this student, each badge with its reason. The list
#     holds the students who grew most lately; it compares no other students.
GROWN=$(as $TEACHER GET "/api/leaderboards/class/$CLASS?windowDays=90" | jq '.entries[0].studentId')
as $TEACHER GET /api/students/$GROWN/gamification/profile | jq -c '{xpBalance, avatarTier, streak, badges: [.badges[].nameAr], sinceMonthStart}'
# Notifications tell adults once what needs them, in words that hold no data about a student. The stream says when to read
# again; it is closed here after two seconds.
as $TEACHER GET "/api/notifications?limit=3" | jq -c '.items[] | {kind, severity, renderedTitleAr, renderedBodyAr}'
curl -sN --max-time 2 $A/api/notifications/stream -H "authorization: Bearer $(cat $TOKENS/$TEACHER)" || true

# 13. A family reads words and no numbers: how the child is doing, and what can be done at home. The letter is a page and a
#     PDF with the same sentences; a worker prints the letters of a whole class.
PARENT=parent1.sandbox@example.org
CHILD=$(as $PARENT GET /api/parent/children | jq -r '.items[0].childId')
as $PARENT GET /api/parent/children/$CHILD/growth | jq -c '.tiles[] | {macroDomainAr, trajectoryLabelAr}'
as $PARENT GET /api/parent/children/$CHILD/letter >$TOKENS/letter.html && echo $TOKENS/letter.html
BATCH=/api/parent/pdf-batches/$(as $TEACHER POST /api/parent/pdf-batches -d "{\"classId\": $CLASS}" | jq -r .batchId)
wait_until $TEACHER $BATCH done
as $TEACHER GET $BATCH/file >$TOKENS/letters.pdf && echo $TOKENS/letters.pdf

# 14. Those who may not see single students read counts that identify none of them: a manager reads what was published of the
#     season, a principal the own school as it is now. A count that is null is suppressed. Nothing is published before the
#     first night after most students were measured (the demo begins with what its nights would have published).
MANAGER=manager.sandbox@example.org PRINCIPAL=principal1.sandbox@example.org
ORG=$(as $MANAGER GET /api/auth/me | jq -r .organizationId)
SCHOOL=$(as $PRINCIPAL GET /api/schools | jq -r '.items[0].id')
as $PRINCIPAL GET /api/principal/schools/$SCHOOL/overview | jq -c '{basis, asOf, students, tiles: [.tiles[] | {tileCode, counts}]}'
as $MANAGER GET /api/principal/schools/$SCHOOL/overview | jq -c '{basis, release, students, tiles: [.tiles[] | {tileCode, counts}]}'
as $MANAGER GET "/api/orgs/$ORG/comparisons?metric=support_share&tileCode=LANGUAGE" | jq -c '.items[] | {name, students, value}'
BOARD=/api/report-jobs/$(as $MANAGER POST /api/reports/orgs/$ORG/board-pdf -d '{}' | jq -r .jobId)
wait_until $MANAGER $BOARD done
as $MANAGER GET $BOARD/file >$TOKENS/board.pdf && echo $TOKENS/board.pdf

# 15. Enrollments come from the school's own platform: a OneRoster set is uploaded, its class is mapped to a class of the
#     service, and a preview says row by row what would change. (A OneRoster service is connected with the type `rest`;
#     `auth` says how its tokens are requested: `basic`, `body` or `bearer`.)
ADMIN=admin.sandbox@example.org
ROOM=$(as $ADMIN GET "/api/classes?limit=1" | jq '.items[0] | {id, grade}'); SET=$TOKENS/set; mkdir -p $SET
cat >$SET/manifest.csv <<'CSV'
propertyName,value
manifest.version,1.0
oneroster.version,1.1
file.academicSessions,absent
file.classes,bulk
file.courses,absent
file.demographics,absent
file.enrollments,bulk
file.orgs,absent
file.users,bulk
CSV
cat >$SET/classes.csv <<CSV
sourcedId,status,dateLastModified,title,grades,courseSourcedId,classCode,classType,location,schoolSourcedId,termSourcedIds,subjects,subjectCodes,periods
c-1,,,فصل المنصة,0$(jq .grade <<<"$ROOM"),course-1,,homeroom,,school-1,term-1,,,
CSV
cat >$SET/users.csv <<'CSV'
sourcedId,status,dateLastModified,enabledUser,orgSourcedIds,role,username,userIds,givenName,familyName,middleName,identifier,email,sms,phone,agentSourcedIds,grades,password
u-1,,,true,school-1,student,noura,,نورة,العتيبي,,,,,,,,
u-2,,,true,school-1,student,reem,,ريم,العتيبي,,,,,,,,
u-3,,,true,school-1,teacher,salma,,سلمى,الحربي,,,,,,,,
CSV
cat >$SET/enrollments.csv <<'CSV'
sourcedId,status,dateLastModified,classSourcedId,schoolSourcedId,userSourcedId,role,primary,beginDate,endDate
e-1,,,c-1,school-1,u-1,student,false,,
e-2,,,c-1,school-1,u-2,student,false,,
e-3,,,c-1,school-1,u-3,teacher,false,,
CSV
FILES=$(for FILE in $SET/*.csv; do jq -n --arg name $(basename $FILE) --arg content "$(base64 <$FILE | tr -d '\n')" '{name: $name, contentBase64: $content}'; done | jq -s .)
CONNECTION=$(as $ADMIN POST /api/lms/connections/oneroster/token -d "{\"type\": \"csv\", \"files\": $FILES}" | jq -r .id)
as $ADMIN POST /api/lms/oneroster/mappings -d "{\"mappings\": [{\"courseExternalId\": \"c-1\", \"classId\": $(jq .id <<<"$ROOM")}]}" | jq -c
PREVIEW=$(as $ADMIN POST /api/lms/preview -d "{\"connectionId\": \"$CONNECTION\"}" | jq -r .previewId)
wait_until $ADMIN /api/lms/preview/$PREVIEW ready
as $ADMIN GET /api/lms/preview/$PREVIEW >$TOKENS/preview.json
jq -c '.summary, (.rows[] | {entity, action, reasonCode, external: (.external.fullNameAr // .external.personExternalId)})' $TOKENS/preview.json
# A teacher without an e-mail address cannot be imported, and a person has to resolve that row before anything is written.
# Equal names never make two people one. A commit can be reverted once; the next preview then proposes it again.
as $ADMIN PATCH /api/lms/preview/$PREVIEW/rows -d '{"reasonCode": "missing_email_and_id", "resolution": "skip_row"}' | jq -c
as $ADMIN POST /api/lms/commit/$PREVIEW | jq -c
RUN=$(as $ADMIN GET "/api/lms/sync-runs?limit=1" | jq -r '.items[0].syncRunId')
as $ADMIN POST /api/lms/sync-runs/$RUN/revert -d '{}' | jq -c

# 16. The service checks its own data: the counts of the last audit (0 everywhere, or there is work to do), and what the
#     running service has noticed.
as $ME GET /api/admin/qa/audit-summary | jq -c '{asOf, pending, checks: [.checks[] | select(.violations > 0)], clean: ([.checks[] | select(.violations == 0)] | length)}'
as $ME GET "/api/qa/runtime-alerts?limit=5" | jq -c '.items[] | {qaCheckId, severity, subject, at}'
