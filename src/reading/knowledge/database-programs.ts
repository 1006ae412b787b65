import type { ProgramSpec, ProgramTable } from './program-spec.ts';

const POSTGRES_VALUES =
  '-c,--command -d,--dbname -h,--host -U,--username -p,--port -v,--set,--variable -L,--log-file -n,--schema -t,--table';
const POSTGRES: ProgramSpec = {
  values: `${POSTGRES_VALUES} -f,--file -o,--output`,
  flags: { '-h': 'connect', '-p': 'port', '-d': 'conninfo', '-f': 'read', '-o': 'write' },
  rest: 'conninfo',
  placeVariables: 'PGHOST PGHOSTADDR',
  portVariable: 'PGPORT',
  sendsInput: true,
  scheme: 'postgres',
};
/** Programs that write what a server has into a file. */
const POSTGRES_DUMP: ProgramSpec = {
  ...POSTGRES,
  flags: { ...POSTGRES.flags, '-f': 'write' },
};
/** Those that take a file, and the names of databases. */
const POSTGRES_RESTORE: ProgramSpec = {
  ...POSTGRES,
  rest: 'read',
  flags: { ...POSTGRES.flags, '-f': 'write' },
};
const POSTGRES_TOOL: ProgramSpec = { ...POSTGRES, rest: 'text' };

const MYSQL: ProgramSpec = {
  values:
    '-h,--host -u,--user -P,--port -D,--database -e,--execute -S,--socket --defaults-file --defaults-extra-file',
  attached: '-p,--password',
  flags: { '-h': 'connect', '-P': 'port', '--defaults-file': 'read', '--defaults-extra-file': 'read' },
  rest: 'text',
  placeVariables: 'MYSQL_HOST',
  portVariable: 'MYSQL_TCP_PORT',
  sendsInput: true,
  scheme: 'mysql',
};
const MYSQL_DUMP: ProgramSpec = {
  ...MYSQL,
  values: `${MYSQL.values ?? ''} -r,--result-file`,
  flags: { ...MYSQL.flags, '-r': 'write' },
};

const MONGO_VALUES = '-h,--host --port -u,--username -p,--password -d,--db -c,--collection --uri --eval';
const MONGO: ProgramSpec = {
  values: `${MONGO_VALUES} -f,--file`,
  rest: 'connect',
  flags: { '-h': 'connect', '--uri': 'connect', '--port': 'port', '-f': 'read' },
  sendsInput: true,
  scheme: 'mongodb',
};
const MONGO_TOOL: ProgramSpec = {
  values: `${MONGO_VALUES} -o,--out --file --archive`,
  rest: 'url',
  flags: { '-h': 'connect', '--uri': 'connect', '--port': 'port' },
  scheme: 'mongodb',
};

const LDAP: ProgramSpec = {
  values: '-H -h -p -D -w -y -b -s -f -l -z -o -e -E -Y -U -X -R -O -c',
  rest: 'text',
  flags: { '-H': 'connect', '-h': 'connect', '-p': 'port', '-f': 'read' },
  sendsInput: true,
  scheme: 'ldap',
};
const MQTT: ProgramSpec = {
  values:
    '-h,--host -p,--port -t,--topic -m,--message -f,--file -u,--username -P,--pw -i,--id -q,--qos -L,--url --cafile --cert --key',
  rest: 'text',
  flags: { '-h': 'connect', '-p': 'port', '-f': 'read', '-L': 'connect', '--key': 'list' },
  scheme: 'mqtt',
};
const KAFKA: ProgramSpec = {
  values: '-b -t -p -K -D -o -c -X -f -F -G',
  rest: 'read',
  flags: { '-b': 'connect', '-F': 'read' },
  sendsInput: true,
  scheme: 'kafka',
};
const SNMP: ProgramSpec = {
  values: '-v -c -l -u -a -A -x -X -t -r -m -M -O',
  first: ['connect'],
  rest: 'text',
  scheme: 'snmp',
};

/** Clients of databases, directories and message brokers. Without a host they go to this machine. */
export const DATABASE_PROGRAMS: ProgramTable = {
  psql: POSTGRES,
  pgcli: POSTGRES,
  pg_dump: POSTGRES_DUMP,
  pg_dumpall: { ...POSTGRES_DUMP, rest: 'text' },
  pg_basebackup: { ...POSTGRES_TOOL, flags: { ...POSTGRES.flags, '-f': 'text' } },
  pg_restore: POSTGRES_RESTORE,
  pg_isready: POSTGRES_TOOL,
  createdb: POSTGRES_TOOL,
  dropdb: POSTGRES_TOOL,
  createuser: POSTGRES_TOOL,
  dropuser: POSTGRES_TOOL,
  vacuumdb: POSTGRES_TOOL,
  reindexdb: POSTGRES_TOOL,
  mysql: MYSQL,
  mariadb: MYSQL,
  mycli: MYSQL,
  mysqladmin: MYSQL,
  'mariadb-admin': MYSQL,
  mysqlimport: { ...MYSQL, first: ['text'], rest: 'read' },
  mysqlshow: MYSQL,
  mysqldump: MYSQL_DUMP,
  'mariadb-dump': MYSQL_DUMP,
  'redis-cli': {
    values: '-h -p -a -n -u -s -t -r -i --user --pass --cert --key --cacert',
    rest: 'text',
    flags: { '-h': 'connect', '-p': 'port', '-u': 'connect' },
    sendsInput: true,
    scheme: 'redis',
  },
  mongosh: MONGO,
  mongo: MONGO,
  mongodump: MONGO_TOOL,
  mongorestore: { ...MONGO_TOOL, rest: 'read' },
  mongoimport: {
    ...MONGO_TOOL,
    rest: 'read',
    flags: { ...MONGO_TOOL.flags, '--file': 'read' },
    sendsInput: true,
  },
  mongoexport: { ...MONGO_TOOL, flags: { ...MONGO_TOOL.flags, '-o': 'write' } },
  cqlsh: {
    values: '-u,--username -p,--password -k,--keyspace -f,--file -e,--execute',
    first: ['connect', 'port'],
    flags: { '-f': 'read' },
    sendsInput: true,
    scheme: 'cassandra',
  },
  'clickhouse-client': {
    values: '-h,--host --port -u,--user --password -q,--query -d,--database --queries-file',
    rest: 'text',
    flags: { '-h': 'connect', '--port': 'port', '--queries-file': 'read' },
    sendsInput: true,
    scheme: 'clickhouse',
  },
  sqlcmd: {
    values: '-S -U -P -d -Q -q -i -o -E',
    rest: 'text',
    flags: { '-S': 'connect', '-i': 'read', '-o': 'write' },
    scheme: 'mssql',
  },
  influx: {
    values: '-host,--host -port,--port -database -execute -username -password -t,--token -o,--org',
    dashes: 'word',
    flags: { '-host': 'connect', '-port': 'port' },
    sendsInput: true,
    scheme: 'http',
  },
  etcdctl: {
    values: '--endpoints --cacert --cert --key --user -w',
    rest: 'text',
    flags: { '--endpoints': 'connect', '--key': 'list' },
    placeVariables: 'ETCDCTL_ENDPOINTS',
    scheme: 'http',
  },
  ldapsearch: LDAP,
  ldapadd: LDAP,
  ldapmodify: LDAP,
  ldapdelete: LDAP,
  ldapwhoami: LDAP,
  mosquitto_pub: { ...MQTT, network: 'upload' },
  mosquitto_sub: { ...MQTT, network: 'connect' },
  kafkacat: KAFKA,
  kcat: KAFKA,
  snmpget: SNMP,
  snmpwalk: SNMP,
  snmpset: SNMP,
};
