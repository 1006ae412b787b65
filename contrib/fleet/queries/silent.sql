-- Who is without a guard, one: machines that have stopped reporting, for how many hours.
SELECT
    argMax(ResourceAttributes['host.name'], Timestamp) AS machine,
    argMax(ResourceAttributes['service.version'], Timestamp) AS version,
    dateDiff('hour', max(Timestamp), now()) AS hours
FROM otel_logs
WHERE ServiceName = 'policy' AND Timestamp > now() - INTERVAL 60 DAY
GROUP BY ResourceAttributes['host.id']
HAVING hours >= 24
ORDER BY hours DESC
