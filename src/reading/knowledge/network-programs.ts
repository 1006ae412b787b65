import type { ProgramSpec, ProgramTable } from './program-spec.ts';

const NCAT: ProgramSpec = {
  values:
    '-e,--exec -c,--sh-exec --lua-exec -g -G -i,--idle-timeout -m,--max-conns -o,--output -p,--source-port -s,--source -w,--wait -x,--hex-dump --proxy --proxy-type --proxy-auth',
  same: '-C,--crlf -k,--keep-open -l,--listen -n,--nodns -t,--telnet -u,--udp -U,--unixsock -v,--verbose -4 -6',
  first: ['connect', 'port'],
  rest: 'text',
  flags: { '--proxy': 'connect', '-o': 'write', '-x': 'write' },
  sendsInput: true,
  scheme: 'tcp',
};
/** Other than with ncat `-x` is a proxy. */
const NETCAT: ProgramSpec = {
  ...NCAT,
  values: '-e -c -g -G -i -I -M -m -O -o -P -p -q -s -T -V -w -W -X -x',
  flags: { '-x': 'connect' },
};

/** Where it goes, and as whom, is in the reader of ssh. */
export const SSH_FLAGS = '-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -P -Q -R -S -W -w';

const SSH: ProgramSpec = { values: SSH_FLAGS, stops: true, sendsInput: true, scheme: 'ssh' };

const LOOKUP: ProgramSpec = {
  values: '-t -c -p -q -b -f -k -x -y',
  // What is looked up, and at which server.
  first: ['connect', 'connect'],
  rest: 'text',
  scheme: 'dns',
};
/** What its words are is in its reader. */
const HTTPIE: ProgramSpec = {
  values:
    '-a,--auth -A,--auth-type -o,--output -p,--print -s,--style --session --session-read-only --proxy --cert --cert-key --verify --timeout --max-redirects --raw',
  same: '-b,--body -c,--continue -d,--download -f,--form -F,--follow -h,--headers -I,--ignore-stdin -j,--json -m,--meta -S,--stream -v,--verbose -x,--compress',
  rest: 'text',
};
const MAIL: ProgramSpec = {
  values: '-s -a -c -b -r -A -i -F -e -H -S',
  rest: 'text',
  flags: { '-a': 'read', '-A': 'read', '-i': 'read', '-S': 'connect' },
  network: 'upload',
  scheme: 'smtp',
};
const SENDMAIL: ProgramSpec = {
  values: '-f,--from -F -a,--account -C,--file --host --port -X',
  rest: 'text',
  flags: { '--host': 'connect', '--port': 'port', '-C': 'read' },
  network: 'upload',
  scheme: 'smtp',
};
/** What hands files to whoever knows the words. */
const HAND_OVER: ProgramSpec = {
  rest: 'text',
  network: { upload: 'send', download: 'receive recv', connect: '*', none: '. help version' },
  subcommands: { send: { values: '--code --text', rest: 'read', recursive: true } },
};

const PROBE: ProgramSpec = {
  values: '-c -i -I -m -M -n -p -Q -s -S -t -T -w -W -q -f -g',
  rest: 'connect',
  scheme: 'icmp',
};

const OPENSSL: ProgramSpec = {
  values:
    '-in -out -k -K -iv -pass -passin -passout -inkey -key -signkey -CAkey -cert -CA -CAfile -CApath -connect -host -port -proxy -starttls -config -subj -days -keyout -newkey -extfile -servername -sign -verify -signature -kfile -S -md',
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
    '-host': 'connect',
    '-port': 'port',
    '-proxy': 'connect',
    '-sign': 'list',
    '-config': 'read',
  },
  sendsInput: true,
  scheme: 'tls',
};

/** Programs that talk to other machines. curl, wget, ssh, socat and rsync have readers of their own as well. */
export const NETWORK_PROGRAMS: ProgramTable = {
  nc: NETCAT,
  ncat: NCAT,
  netcat: NETCAT,
  telnet: {
    values: '-l -b -e -n -X -S -k',
    first: ['connect', 'port'],
    rest: 'text',
    sendsInput: true,
    scheme: 'telnet',
  },
  ftp: { values: '-N -o -P -s', first: ['connect', 'port'], scheme: 'ftp' },
  // Where it goes and what it takes along is in its reader.
  tftp: { values: '-m -l -r -b -c', rest: 'text', sendsInput: true, scheme: 'tftp' },
  lftp: {
    values: '-e -c -f -u -p',
    first: ['connect'],
    flags: { '-p': 'port' },
    network: 'connect',
    scheme: 'ftp',
  },
  ssh: SSH,
  autossh: { ...SSH, values: `${SSH_FLAGS} -M` },
  sftp: {
    values: `${SSH_FLAGS} -s`,
    first: ['connect'],
    flags: { '-b': 'read' },
    scheme: 'ssh',
  },
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
  'ssh-copy-id': {
    values: '-i -p -o',
    rest: 'upload',
    flags: { '-i': 'list', '-p': 'port' },
    scheme: 'ssh',
  },
  'ssh-keyscan': {
    values: '-f -p -T -t -O',
    rest: 'connect',
    flags: { '-f': 'places', '-p': 'port' },
    scheme: 'ssh',
  },
  'ssh-keygen': {
    values: '-b -t -f -C -N -P -m -O -s -I -n -V -z -D -E -F -R -r -w -Z -a -Y',
    flags: { '-f': 'write', '-s': 'read' },
  },
  'ssh-add': { values: '-t -e -s -S -E -H -h', rest: 'list' },
  'ssh-agent': { values: '-a -t -E -P -O', output: 'own' },
  http: HTTPIE,
  https: HTTPIE,
  xh: HTTPIE,
  xhs: HTTPIE,
  aria2c: {
    values:
      '-d,--dir -o,--out -i,--input-file -x,--max-connection-per-server -s,--split -j,--max-concurrent-downloads --all-proxy --http-proxy --https-proxy',
    rest: 'download',
    flags: {
      '-i': 'places',
      '--all-proxy': 'connect',
      '--http-proxy': 'connect',
      '--https-proxy': 'connect',
    },
  },
  axel: { values: '-o,--output -n,--num-connections', rest: 'download' },
  lynx: { values: '-useragent', dashes: 'word', rest: 'download' },
  links: { rest: 'download' },
  w3m: { values: '-T -o -cols', rest: 'download' },
  'yt-dlp': {
    values: '-o,--output -P,--paths -f,--format --proxy',
    rest: 'download',
    flags: { '--proxy': 'connect' },
  },
  smbclient: {
    values:
      '-U,--user -c,--command -I,--ip-address -p,--port -W,--workgroup -A,--authentication-file -L,--list -D,--directory',
    first: ['connect'],
    flags: { '-I': 'connect', '-L': 'connect', '-p': 'port' },
    scheme: 'smb',
  },
  sshfs: {
    values: '-o -p -F',
    first: ['remote', 'list'],
    flags: { '-p': 'port', '-F': 'read' },
    scheme: 'ssh',
  },
  mail: MAIL,
  mailx: MAIL,
  's-nail': MAIL,
  mutt: MAIL,
  neomutt: MAIL,
  sendmail: SENDMAIL,
  msmtp: SENDMAIL,
  ssmtp: SENDMAIL,
  swaks: {
    values: '-t,--to -f,--from -s,--server -p,--port --attach --body --header -d,--data -au -ap',
    dashes: 'word',
    flags: { '-s': 'connect', '-p': 'port', '--attach': 'at-file', '--body': 'at-file', '-d': 'at-file' },
    network: 'upload',
    scheme: 'smtp',
  },
  wormhole: HAND_OVER,
  croc: HAND_OVER,
  'magic-wormhole': HAND_OVER,
  transfer: { rest: 'read', network: 'upload' },
  ping: PROBE,
  ping6: PROBE,
  fping: PROBE,
  hping3: PROBE,
  arping: PROBE,
  traceroute: PROBE,
  tracepath: PROBE,
  mtr: PROBE,
  dig: {
    values: '-t -c -p -q -b -f -k -x -y',
    flags: { '-q': 'connect', '-f': 'places', '-p': 'port' },
    scheme: 'dns',
  },
  nslookup: LOOKUP,
  host: LOOKUP,
  drill: { values: '-t -c -p -b -f -k -x -y', flags: { '-p': 'port' }, scheme: 'dns' },
  whois: { values: '-h -p', rest: 'connect', scheme: 'whois' },
  nmap: {
    values: '-p -iL -oN -oX -oG -oA -e -S,--script -T',
    dashes: 'word',
    rest: 'connect',
    flags: { '-iL': 'places', '-oN': 'write', '-oX': 'write', '-oG': 'write', '-oA': 'write' },
    scheme: 'tcp',
  },
  grpcurl: {
    values: '-d -H -import-path -proto -protoset -cert -key -cacert -authority -max-time',
    dashes: 'word',
    first: ['connect'],
    rest: 'text',
    flags: { '-key': 'list' },
    scheme: 'grpc',
  },
  httping: {
    values: '-g -h -p -x -c -i -t',
    rest: 'connect',
    flags: { '-g': 'connect', '-h': 'connect', '-p': 'port' },
  },
  rdesktop: { values: '-u -d -p -n -g -r -k -s -c -T', rest: 'connect', scheme: 'rdp' },
  xfreerdp: { dashes: 'none', rest: 'text', scheme: 'rdp' },
  vncviewer: {
    dashes: 'word',
    values: '-via -passwd -geometry',
    flags: { '-via': 'connect' },
    rest: 'connect',
    scheme: 'vnc',
  },
  'evil-winrm': {
    values: '-i,--ip -u,--user -p,--password -P,--port',
    flags: { '-i': 'connect', '-P': 'port' },
    scheme: 'http',
  },
  crane: {
    rest: 'hosted',
    scheme: 'docker',
    network: { download: 'pull export', upload: 'push append', connect: '*', none: '. help version' },
  },
  hg: {
    values: '-R,--repository --cwd --config -r,--rev -b,--branch',
    rest: 'url',
    network: { download: 'clone pull incoming in', upload: 'push', connect: 'outgoing out' },
  },
  svn: {
    values: '-r,--revision -m,--message --username --password -F,--file --depth --config-dir --config-option',
    rest: 'url',
    flags: { '-F': 'read' },
    network: { download: 'checkout co export update up', upload: 'commit ci import', connect: 'list ls' },
  },
  bzr: { rest: 'url', network: { download: 'branch checkout co pull update', upload: 'push' } },
  degit: { rest: 'text', network: 'download' },
  tiged: { rest: 'text', network: 'download' },
  masscan: {
    values: '-p,--ports --rate -oL -oJ -oG -oX -e',
    dashes: 'word',
    rest: 'connect',
    scheme: 'tcp',
  },
  showmount: { rest: 'connect', scheme: 'nfs' },
  rpcinfo: { values: '-T -n', first: ['connect'], rest: 'text', scheme: 'tcp' },
  tcpdump: {
    values: '-i -w -r -c -s -F',
    rest: 'text',
    flags: { '-w': 'write', '-r': 'read', '-F': 'read' },
  },
  ngrok: {
    first: ['text'],
    rest: 'text',
    network: { connect: '*', none: '. config completion help version' },
  },
  cloudflared: { values: '--url --config', rest: 'text', flags: { '--url': 'connect' } },
  openssl: {
    ...OPENSSL,
    subcommands: {
      // It puts the key into what it writes.
      pkcs12: { ...OPENSSL, flags: { ...OPENSSL.flags, '-inkey': 'read' } },
      s_client: { ...OPENSSL, rest: 'connect' },
    },
  },
  gpg: {
    values:
      '-o,--output -r,--recipient -u,--local-user --homedir --keyserver --passphrase --passphrase-file --batch-size',
    same: '-a,--armor -b,--detach-sign -c,--symmetric -d,--decrypt -e,--encrypt -k,--list-keys -K,--list-secret-keys -s,--sign',
    rest: 'read',
    flags: { '-o': 'write', '--passphrase-file': 'read', '--keyserver': 'connect' },
    networkWith: {
      download: '--recv-keys --receive-keys --refresh-keys --search-keys --fetch-keys',
      upload: '--send-keys',
    },
    scheme: 'hkps',
  },
  age: {
    values: '-o,--output -r,--recipient -R -i,--identity',
    rest: 'read',
    flags: { '-o': 'write', '-i': 'read' },
  },
};
