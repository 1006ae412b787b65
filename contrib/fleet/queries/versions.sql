-- Which version of policy and which files of the organisation each machine has, the one that has not reported for longest first.
SELECT
    argMax(ResourceAttributes['host.name'], Timestamp) AS machine,
    argMax(ResourceAttributes['service.version'], Timestamp) AS version,
    argMax(LogAttributes['policy.organisation.digest'], Timestamp) AS organisation,
    max(Timestamp) AS last_report
FROM otel_logs
WHERE ServiceName = 'policy' AND EventName = 'policy.heartbeat' AND Timestamp > now() - INTERVAL 7 DAY
GROUP BY ResourceAttributes['host.id']
ORDER BY last_report
