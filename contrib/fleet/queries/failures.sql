-- Where decisions fail: refused because policies could not be judged, and not because a policy says so.
SELECT
    ResourceAttributes['host.name'] AS machine,
    LogAttributes['gen_ai.agent.name'] AS agent,
    uniqExact(LogAttributes['policy.decision.id']) AS failed
FROM otel_logs
WHERE ServiceName = 'policy' AND EventName = 'policy.decision' AND LogAttributes['policy.decision.failed'] = 'true' AND Timestamp > now() - INTERVAL 1 DAY
GROUP BY machine, agent
ORDER BY failed DESC
