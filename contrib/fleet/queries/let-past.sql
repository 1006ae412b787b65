-- What people and exceptions have let past policies.
SELECT
    arrayJoin(JSONExtract(LogAttributes['policy.excepted'], 'Array(String)')) AS policy,
    if(LogAttributes['policy.decision.allowed'] = 'true', 'a person', 'an exception') AS let_past_by,
    uniqExact(LogAttributes['policy.decision.id']) AS calls,
    uniqExact(ResourceAttributes['host.id']) AS machines
FROM otel_logs
WHERE ServiceName = 'policy' AND EventName = 'policy.decision' AND LogAttributes['policy.excepted'] != '' AND Timestamp > now() - INTERVAL 7 DAY
GROUP BY policy, let_past_by
ORDER BY calls DESC
LIMIT 50
