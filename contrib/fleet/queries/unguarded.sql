-- Who is without a guard, two: machines that report, and where no agent has asked for a week. Nobody works there, or a hook is missing:
-- "policy doctor" tells on that machine.
SELECT
    argMax(ResourceAttributes['host.name'], Timestamp) AS machine,
    argMax(ResourceAttributes['service.version'], Timestamp) AS version,
    least(dateDiff('hour', maxIf(Timestamp, EventName = 'policy.decision'), now()), 24 * 60) AS hours
FROM otel_logs
WHERE ServiceName = 'policy' AND Timestamp > now() - INTERVAL 60 DAY
GROUP BY ResourceAttributes['host.id']
HAVING hours >= 168 AND max(Timestamp) > now() - INTERVAL 1 DAY
ORDER BY hours DESC
