-- How many decisions there are in each hour, by action.
SELECT
    toStartOfHour(Timestamp) AS time,
    LogAttributes['policy.decision.action'] AS action,
    uniqExact(LogAttributes['policy.decision.id']) AS decisions
FROM otel_logs
WHERE ServiceName = 'policy' AND EventName = 'policy.decision' AND Timestamp > now() - INTERVAL 7 DAY
GROUP BY time, action
ORDER BY time
