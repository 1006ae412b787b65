-- What is refused most: by policy, with the machines and repositories where it is.
SELECT
    if(LogAttributes['security_rule.name'] = '', 'a failure', LogAttributes['security_rule.name']) AS policy,
    LogAttributes['policy.decision.action'] AS action,
    uniqExact(LogAttributes['policy.decision.id']) AS refused,
    uniqExact(ResourceAttributes['host.id']) AS machines,
    uniqExactIf(LogAttributes['vcs.repository.url.full'], LogAttributes['vcs.repository.url.full'] != '') AS repositories
FROM otel_logs
WHERE ServiceName = 'policy' AND EventName = 'policy.decision' AND SeverityText IN ('WARN', 'ERROR') AND Timestamp > now() - INTERVAL 7 DAY
GROUP BY policy, action
ORDER BY refused DESC
LIMIT 50
