-- On how many machines each version and each state of the organisation's files is.
SELECT version, organisation, count() AS machines
FROM (
    SELECT
        argMax(ResourceAttributes['service.version'], Timestamp) AS version,
        argMax(LogAttributes['policy.organisation.digest'], Timestamp) AS organisation
    FROM otel_logs
    WHERE ServiceName = 'policy' AND EventName = 'policy.heartbeat' AND Timestamp > now() - INTERVAL 7 DAY
    GROUP BY ResourceAttributes['host.id']
)
GROUP BY version, organisation
ORDER BY machines DESC
