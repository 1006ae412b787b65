-- What policies in monitor mode, and canaries on the other side, would have done, by repository: see it before they are in force.
SELECT
    arrayJoin(JSONExtract(LogAttributes['policy.monitored'], 'Array(String)')) AS policy,
    if(LogAttributes['vcs.repository.url.full'] = '', 'no repository', LogAttributes['vcs.repository.url.full']) AS repository,
    uniqExact(LogAttributes['policy.decision.id']) AS calls,
    uniqExact(LogAttributes['gen_ai.conversation.id']) AS sessions,
    uniqExact(ResourceAttributes['host.id']) AS machines
FROM otel_logs
WHERE ServiceName = 'policy' AND EventName = 'policy.decision' AND LogAttributes['policy.monitored'] != '' AND Timestamp > now() - INTERVAL 7 DAY
GROUP BY policy, repository
ORDER BY calls DESC
LIMIT 100
