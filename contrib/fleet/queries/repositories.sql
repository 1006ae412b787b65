-- In which repositories most is refused, and by what.
SELECT
    if(LogAttributes['vcs.repository.url.full'] = '', 'no repository', LogAttributes['vcs.repository.url.full']) AS repository,
    uniqExact(LogAttributes['policy.decision.id']) AS decisions,
    uniqExactIf(LogAttributes['policy.decision.id'], SeverityText IN ('WARN', 'ERROR')) AS refused,
    arrayStringConcat(topKIf(3)(LogAttributes['security_rule.name'], SeverityText = 'WARN'), ', ') AS mostly_by
FROM otel_logs
WHERE ServiceName = 'policy' AND EventName = 'policy.decision' AND Timestamp > now() - INTERVAL 7 DAY
GROUP BY repository
ORDER BY refused DESC
LIMIT 50
