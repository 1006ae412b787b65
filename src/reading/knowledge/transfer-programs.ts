import type { ProgramTable } from './program-spec.ts';

/** Programs that copy data in ways of their own; their readers say what goes where. */
export const TRANSFER_PROGRAMS: ProgramTable = {
  curl: {
    values:
      '-A --user-agent -b --cookie -c --cookie-jar -C --continue-at -d --data --data-ascii --data-binary --data-raw --data-urlencode --json -D --dump-header -e --referer -E --cert --cacert --capath --key --cert-type --key-type -F --form --form-string -h -H --header -K --config -m --max-time --connect-timeout --connect-to -o --output --output-dir -P --ftp-port --pass --proto --proto-default -Q --quote -r --range --rate --resolve --retry --retry-delay --retry-max-time -t --telnet-option -T --upload-file -u --user -U --proxy-user -w --write-out -x --proxy --preproxy --socks4 --socks4a --socks5 --socks5-hostname -X --request -y --speed-time -Y --speed-limit -z --time-cond --url --url-query --unix-socket --abstract-unix-socket --interface --limit-rate --max-filesize --max-redirs --netrc-file --oauth2-bearer --ciphers --tls13-ciphers --dns-servers --doh-url --trace --trace-ascii --stderr --hsts --alt-svc --aws-sigv4 --egd-file --random-file --variable --expand-url',
    attached: '',
    long: '--silent --show-error --location --fail --fail-with-body --include --head --insecure --compressed --verbose --remote-name --remote-name-all --remote-header-name --remote-time --get --globoff --parallel --progress-bar --no-progress-meter --create-dirs --http1.0 --http1.1 --http2 --http3 --ipv4 --ipv6 --anyauth --basic --digest --negotiate --netrc --netrc-optional --no-buffer --no-keepalive --path-as-is --location-trusted --post301 --post302 --post303 --proxytunnel --raw --ssl --ssl-reqd --sslv2 --sslv3 --tlsv1 --tlsv1.2 --tlsv1.3 --styled-output --tcp-nodelay --xattr --next --disable --help --version --manual --retry-connrefused --retry-all-errors --append --list-only --crlf --use-ascii --mail-from --mail-rcpt',
    flags: {
      '-K': 'read',
      '--config': 'read',
      // What proves who is asking is not shown.
      '-E': 'list',
      '--cert': 'list',
      '--key': 'list',
      '--netrc-file': 'read',
      '-c': 'write',
      '--cookie-jar': 'write',
      '-D': 'write',
      '--dump-header': 'write',
      '--trace': 'write',
      '--trace-ascii': 'write',
      '--stderr': 'write',
      '-x': 'connect',
      '--proxy': 'connect',
      '--doh-url': 'connect',
    },
  },
  wget: {
    values:
      '-a --append-output -A --accept -b -B --base -D --domains -e --execute -i --input-file -I --include-directories -l --level -n -o --output-file -O --output-document -P --directory-prefix -Q --quota -R --reject -t --tries -T --timeout -U --user-agent -w --wait -X --exclude-directories --header --user --password --http-user --http-password --ftp-user --ftp-password --post-data --post-file --body-data --body-file --method --referer --save-cookies --load-cookies --limit-rate --bind-address --certificate --private-key --ca-certificate --ca-directory --secure-protocol --max-redirect --cut-dirs --default-page --config --restrict-file-names --prefer-family --input-metalink --use-askpass --compression --progress --report-speed --start-pos --dns-timeout --connect-timeout --read-timeout --waitretry --random-file --egd-file --warc-file',
    flags: {
      '-a': 'append',
      '--append-output': 'append',
      '-o': 'write',
      '--output-file': 'write',
      '-i': 'read',
      '--input-file': 'read',
      '--post-file': 'read',
      '--body-file': 'read',
      '--load-cookies': 'read',
      '--save-cookies': 'write',
      '--private-key': 'read',
      '--certificate': 'read',
      '--config': 'read',
      '-P': 'write',
      '--directory-prefix': 'write',
    },
  },
  socat: { values: '-b -s -t -T -L -W -lf', dashes: 'word' },
  rsync: {
    values:
      '-e --rsh --rsync-path --exclude --exclude-from --include --include-from --files-from -f --filter -B --block-size --max-size --min-size -T --temp-dir --compare-dest --copy-dest --link-dest --port --sockopts --password-file --log-file --log-file-format --out-format --bwlimit --timeout --contimeout --backup-dir --suffix --chmod --chown --usermap --groupmap --info --debug --partial-dir --max-delete --read-batch --write-batch --only-write-batch --address --config --modify-window --skip-compress --compress-level --compress-choice --checksum-choice --iconv --remote-option -M',
    rest: 'from',
    last: 'to',
    recursive: '-a -r --archive --recursive',
    scheme: 'rsync',
    harmless: '-n --dry-run --list-only',
    flags: {
      '--exclude-from': 'read',
      '--include-from': 'read',
      '--files-from': 'read',
      '--password-file': 'read',
      '--log-file': 'write',
      '--backup-dir': 'write',
      '-T': 'write',
      '--temp-dir': 'write',
    },
  },
  dd: { dashes: 'none' },
  dcfldd: { dashes: 'none' },
  tee: {
    long: '--append --ignore-interrupts --output-error --help --version',
    rest: 'write',
    appends: '-a --append',
  },
  tar: {
    values:
      '-f --file -C --directory -X --exclude-from -T --files-from -I --use-compress-program -b --blocking-factor -g --listed-incremental -H --format -K --starting-file -L --tape-length -N --newer --after-date -V --label --exclude --transform --xform --strip-components --owner --group --mode --mtime --checkpoint-action --to-command --rsh-command --info-script -F --new-volume-script --suffix --warning --sort --one-top-level --record-size --exclude-tag --exclude-caches',
  },
  bsdtar: {
    values: '-f -C -X -T -b --exclude --strip-components --use-compress-program -s --options --format',
  },
  gtar: {
    values: '-f --file -C --directory -X -T -I --exclude --strip-components --to-command --checkpoint-action',
  },
  cpio: {
    values: '-D --directory -F --file -E --pattern-file -H --format -I -O -R --owner -C -M',
    flags: { '-F': 'read', '-D': 'write', '-I': 'read', '-O': 'write' },
  },
};
