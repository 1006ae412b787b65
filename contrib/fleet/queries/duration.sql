-- How long decisions take, in seconds, by agent: the median, one in a hundred, and the longest.
SELECT
    LogAttributes['gen_ai.agent.name'] AS agent,
    quantile(0.5)(toFloat64OrZero(LogAttributes['policy.decision.duration'])) AS median,
    quantile(0.99)(toFloat64OrZero(LogAttributes['policy.decision.duration'])) AS p99,
    max(toFloat64OrZero(LogAttributes['policy.decision.duration'])) AS longest,
    uniqExact(LogAttributes['policy.decision.id']) AS decisions
FROM otel_logs
WHERE ServiceName = 'policy' AND EventName = 'policy.decision' AND Timestamp > now() - INTERVAL 7 DAY
GROUP BY agent
ORDER BY decisions DESC
