import type { ProgramSpec, ProgramTable } from './program-spec.ts';

const NETCAT: ProgramSpec = {
  values:
    '-e -c -g -G -i -I -k -M -m -O -o -P -p -q -s -T -V -w -W -X -x --exec --sh-exec --lua-exec --source --source-port --proxy --proxy-type --wait --output',
  first: ['connect'],
  rest: 'text',
  scheme: 'tcp',
};

export const SSH_FLAGS = '-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -P -Q -R -S -W -w';

const LOOKUP: ProgramSpec = {
  values: '-t -c -p -q -b -f -k -x -y',
  first: ['connect'],
  rest: 'text',
  scheme: 'dns',
};
const PROBE: ProgramSpec = {
  values: '-c -i -I -m -M -n -p -Q -s -S -t -T -w -W -q -f -g',
  rest: 'connect',
  scheme: 'icmp',
};

const OPENSSL: ProgramSpec = {
  values:
    '-in -out -k -K -iv -pass -passin -passout -inkey -key -signkey -CAkey -cert -CA -CAfile -CApath -connect -config -subj -days -keyout -newkey -extfile -servername -sign -verify -signature -kfile -S -md',
  dashes: 'word',
  rest: 'text',
  flags: {
    '-in': 'read',
    '-out': 'write',
    // A key that signs is not shown.
    '-inkey': 'list',
    '-key': 'list',
    '-signkey': 'list',
    '-CAkey': 'list',
    '-cert': 'read',
    '-kfile': 'read',
    '-keyout': 'write',
    '-connect': 'connect',
    '-sign': 'list',
    '-config': 'read',
  },
  scheme: 'tls',
};

/** Programs that talk to other machines. curl, wget, ssh, socat and rsync have readers of their own as well. */
export const NETWORK_PROGRAMS: ProgramTable = {
  nc: NETCAT,
  ncat: NETCAT,
  netcat: NETCAT,
  telnet: { values: '-l -a -b -e -n -X', first: ['connect'], rest: 'text', scheme: 'telnet' },
  ftp: { values: '-N -P -s', first: ['connect'], scheme: 'ftp' },
  tftp: { values: '-m', first: ['connect'], scheme: 'tftp' },
  lftp: { values: '-e -c -f -u -p', first: ['connect'], scheme: 'ftp' },
  sftp: { values: `${SSH_FLAGS} -s`, first: ['connect'], scheme: 'ssh' },
  scp: {
    values: `${SSH_FLAGS} -X`,
    rest: 'from',
    last: 'to',
    recursive: '-r',
    // A key that is used to log in is not shown.
    flags: { '-i': 'list', '-F': 'read' },
    scheme: 'ssh',
  },
  rcp: { rest: 'from', last: 'to', recursive: '-r', scheme: 'rcp' },
  'ssh-copy-id': { values: '-i -p -o', rest: 'upload', flags: { '-i': 'list' }, scheme: 'ssh' },
  'ssh-keyscan': { values: '-f -p -T -t -O', rest: 'connect', flags: { '-f': 'read' }, scheme: 'ssh' },
  'ssh-keygen': {
    values: '-b -t -f -C -N -P -m -O -s -I -n -V -z -D -E -F -R -r -w -Z -a -Y',
    flags: { '-f': 'write', '-s': 'read' },
  },
  'ssh-add': { values: '-t -e -s -S -E -H -h', rest: 'list' },
  'ssh-agent': { values: '-a -t -E -P -O', output: 'own' },
  http: {
    values: '-a --auth -o --output -p --print -s --style --session',
    rest: 'connect',
    flags: { '-o': 'write', '--output': 'write' },
  },
  https: { values: '-a --auth -o --output', rest: 'connect', flags: { '-o': 'write', '--output': 'write' } },
  xh: { values: '-a --auth -o --output', rest: 'connect', flags: { '-o': 'write', '--output': 'write' } },
  aria2c: {
    values: '-d --dir -o --out -i --input-file -x -s -j',
    rest: 'download',
    flags: { '-d': 'write', '--dir': 'write', '-o': 'write', '--out': 'write', '-i': 'read' },
  },
  axel: { values: '-o --output -n', rest: 'download', flags: { '-o': 'write', '--output': 'write' } },
  lynx: { values: '-useragent', dashes: 'word', rest: 'download' },
  links: { rest: 'download' },
  w3m: { values: '-T -o -cols', rest: 'download' },
  'yt-dlp': {
    values: '-o --output -f --format',
    rest: 'download',
    flags: { '-o': 'write', '--output': 'write' },
  },
  rclone: { first: ['text'], rest: 'from', last: 'to' },
  smbclient: { values: '-U -c -I -p -W -A', first: ['connect'], scheme: 'smb' },
  mysql: {
    values: '-h --host -u --user -p -P --port -D --database -e --execute -S --socket',
    flags: { '-h': 'connect', '--host': 'connect' },
    scheme: 'mysql',
  },
  mysqldump: {
    values: '-h --host -u --user -P --port -r --result-file',
    flags: { '-h': 'connect', '--host': 'connect', '-r': 'write', '--result-file': 'write' },
    scheme: 'mysql',
  },
  psql: {
    values: '-c --command -d --dbname -f --file -h --host -U --username -p --port -o --output -v --set -L',
    flags: {
      '-h': 'connect',
      '--host': 'connect',
      '-f': 'read',
      '--file': 'read',
      '-o': 'write',
      '--output': 'write',
    },
    scheme: 'postgres',
  },
  pg_dump: {
    values: '-h --host -U --username -p --port -d --dbname -f --file -t --table',
    flags: { '-h': 'connect', '--host': 'connect', '-f': 'write', '--file': 'write' },
    scheme: 'postgres',
  },
  'redis-cli': { values: '-h -p -a -n -u', flags: { '-h': 'connect', '-u': 'connect' }, scheme: 'redis' },
  mongosh: { values: '--eval --host --port -u -p', rest: 'connect', scheme: 'mongodb' },
  mail: { values: '-s -a -c -b -r -A', rest: 'text', flags: { '-a': 'read', '-A': 'read' } },
  mailx: { values: '-s -a -c -b -r -A', rest: 'text', flags: { '-a': 'read', '-A': 'read' } },
  sendmail: { values: '-f -F', rest: 'text' },
  mutt: { values: '-s -a -c -b', rest: 'text', flags: { '-a': 'read' } },
  ping: PROBE,
  ping6: PROBE,
  traceroute: PROBE,
  tracepath: PROBE,
  mtr: PROBE,
  dig: { values: '-t -c -p -q -b -f -k -x -y', rest: 'connect', scheme: 'dns' },
  nslookup: LOOKUP,
  host: LOOKUP,
  drill: LOOKUP,
  whois: { values: '-h -p', rest: 'connect', scheme: 'whois' },
  nmap: {
    values: '-p -iL -oN -oX -oG -oA -e -S --script -T',
    dashes: 'word',
    rest: 'connect',
    flags: { '-iL': 'read', '-oN': 'write', '-oX': 'write', '-oG': 'write', '-oA': 'write' },
    scheme: 'tcp',
  },
  tcpdump: {
    values: '-i -w -r -c -s -F',
    rest: 'text',
    flags: { '-w': 'write', '-r': 'read', '-F': 'read' },
  },
  ngrok: { first: ['text'], rest: 'connect' },
  cloudflared: { values: '--url --config', rest: 'text', flags: { '--url': 'connect' } },
  openssl: {
    ...OPENSSL,
    // It puts the key into what it writes.
    subcommands: { pkcs12: { ...OPENSSL, flags: { ...OPENSSL.flags, '-inkey': 'read' } } },
  },
  gpg: {
    values:
      '-o --output -r --recipient -u --local-user --homedir --keyserver --passphrase --passphrase-file --batch-size -a',
    rest: 'read',
    flags: { '-o': 'write', '--output': 'write', '--passphrase-file': 'read', '--keyserver': 'connect' },
  },
  age: {
    values: '-o --output -r --recipient -R -i --identity',
    rest: 'read',
    flags: { '-o': 'write', '--output': 'write', '-i': 'read', '--identity': 'read' },
  },
};
