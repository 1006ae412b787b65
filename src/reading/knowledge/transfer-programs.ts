import type { ProgramTable } from './program-spec.ts';

const TAR_FLAGS =
  '-A,--catenate,--concatenate -a,--auto-compress -B,--read-full-records -c,--create -d,--diff,--compare -G,--incremental -h,--dereference -i,--ignore-zeros -j,--bzip2 -J,--xz -k,--keep-old-files -l,--check-links -m,--touch -M,--multi-volume -n,--seek -O,--to-stdout -p,--preserve-permissions,--same-permissions -P,--absolute-names -r,--append -s,--preserve-order,--same-order -S,--sparse -t,--list -u,--update -U,--unlink-first -v,--verbose -w,--interactive,--confirmation -W,--verify -x,--extract,--get -z,--gzip,--gunzip,--ungzip -Z,--compress,--uncompress';

/** Programs that copy data in ways of their own; their readers say what goes where. */
export const TRANSFER_PROGRAMS: ProgramTable = {
  curl: {
    values:
      '-A,--user-agent -b,--cookie -c,--cookie-jar -C,--continue-at -d,--data,--data-ascii --data-binary --data-raw --data-urlencode --json -D,--dump-header -e,--referer -E,--cert --cacert --capath --key --cert-type --key-type --proxy-cacert --proxy-cert --proxy-key --pinnedpubkey --noproxy --mail-from --mail-rcpt --mail-auth --login-options --ftp-account --ftp-method --happy-eyeballs-timeout-ms --keepalive-time --local-port --pubkey --service-name --tls-max --tlsuser --tlspassword --curves --crlfile --delegation --engine --krb --sasl-authzid --create-file-mode --parallel-max --dns-interface --dns-ipv4-addr --dns-ipv6-addr --expect100-timeout --postquote --prequote --proxy-header --socks5-gssapi-service --tftp-blksize --trace-config -F,--form --form-string -h -H,--header -K,--config -m,--max-time --connect-timeout --connect-to -o,--output --output-dir -P,--ftp-port --pass --proto --proto-default -Q,--quote -r,--range --rate --resolve --retry --retry-delay --retry-max-time -t,--telnet-option -T,--upload-file -u,--user -U,--proxy-user -w,--write-out -x,--proxy --preproxy --socks4 --socks4a --socks5 --socks5-hostname -X,--request -y,--speed-time -Y,--speed-limit -z,--time-cond --url --url-query --unix-socket --abstract-unix-socket --interface --limit-rate --max-filesize --max-redirs --netrc-file --oauth2-bearer --ciphers --tls13-ciphers --dns-servers --doh-url --trace --trace-ascii --stderr --hsts --alt-svc --aws-sigv4 --egd-file --random-file --variable --expand-url',
    attached: '',
    long: '-0,--http1.0 -1,--tlsv1 -2,--sslv2 -3,--sslv3 -4,--ipv4 -6,--ipv6 -a,--append -B,--use-ascii -f,--fail -g,--globoff -G,--get -i,--include -I,--head -j,--junk-session-cookies -J,--remote-header-name -k,--insecure -l,--list-only -L,--location -M,--manual -n,--netrc -N,--no-buffer -O,--remote-name -p,--proxytunnel -q,--disable -R,--remote-time -s,--silent -S,--show-error -v,--verbose -V,--version -Z,--parallel -#,--progress-bar -:,--next --fail-with-body --compressed --remote-name-all --no-progress-meter --create-dirs --http1.1 --http2 --http3 --anyauth --basic --digest --negotiate --netrc-optional --no-keepalive --path-as-is --location-trusted --post301 --post302 --post303 --raw --ssl --ssl-reqd --tlsv1.2 --tlsv1.3 --styled-output --tcp-nodelay --xattr --help --retry-connrefused --retry-all-errors --crlf',
    flags: {
      '-K': 'places',
      // What proves who is asking is not shown.
      '-E': 'list',
      '--key': 'list',
      '--netrc-file': 'read',
      '-c': 'write',
      '-D': 'write',
      '--trace': 'write',
      '--trace-ascii': 'write',
      '--stderr': 'write',
      '-x': 'connect',
      '--preproxy': 'connect',
      '--socks4': 'connect',
      '--socks4a': 'connect',
      '--socks5': 'connect',
      '--socks5-hostname': 'connect',
      '--doh-url': 'connect',
      '--dns-servers': 'connect',
    },
  },
  wget: {
    values:
      '-a,--append-output -A,--accept -B,--base -D,--domains -e,--execute -i,--input-file -I,--include-directories -l,--level -o,--output-file -O,--output-document -P,--directory-prefix -Q,--quota -R,--reject -t,--tries -T,--timeout -U,--user-agent -w,--wait -X,--exclude-directories --header --user --password --http-user --http-password --ftp-user --ftp-password --post-data --post-file --body-data --body-file --method --referer --save-cookies --load-cookies --limit-rate --bind-address --certificate --private-key --ca-certificate --ca-directory --secure-protocol --max-redirect --cut-dirs --default-page --config --restrict-file-names --prefer-family --input-metalink --use-askpass --compression --progress --report-speed --start-pos --dns-timeout --connect-timeout --read-timeout --waitretry --random-file --egd-file --warc-file --proxy-user --proxy-password --crl-file --pinnedpubkey --follow-tags --ignore-tags --accept-regex --reject-regex --local-encoding --remote-encoding --rejected-log --hsts-file',
    attached: '-n',
    same: '-b,--background -c,--continue -d,--debug -E,--adjust-extension -F,--force-html -h,--help -H,--span-hosts -k,--convert-links -K,--backup-converted -L,--relative -m,--mirror -N,--timestamping -p,--page-requisites -q,--quiet -r,--recursive -S,--server-response -v,--verbose -V,--version -x,--force-directories -4,--inet4-only -6,--inet6-only -nc,--no-clobber -nv,--no-verbose -nd,--no-directories -nH,--no-host-directories -np,--no-parent',
    flags: {
      '-a': 'append',
      '-o': 'write',
      '-i': 'places',
      '--post-file': 'read',
      '--body-file': 'read',
      '--load-cookies': 'read',
      '--save-cookies': 'write',
      '--private-key': 'read',
      '--certificate': 'read',
      '--config': 'read',
      '-P': 'write',
    },
  },
  socat: { values: '-b -s -t -T -L -W -lf', dashes: 'word', sendsInput: true },
  rsync: {
    values:
      '-e,--rsh --rsync-path --exclude --exclude-from --include --include-from --files-from -f,--filter -B,--block-size --max-size --min-size -T,--temp-dir --compare-dest --copy-dest --link-dest --port --sockopts --password-file --log-file --log-file-format --out-format --bwlimit --timeout --contimeout --backup-dir --suffix --chmod --chown --usermap --groupmap --info --debug --partial-dir --max-delete --read-batch --write-batch --only-write-batch --address --config --modify-window --skip-compress --compress-level --compress-choice --checksum-choice --iconv -M,--remote-option',
    same: '-0,--from0 -4,--ipv4 -6,--ipv6 -8,--8-bit-output -a,--archive -A,--acls -b,--backup -c,--checksum -C,--cvs-exclude -d,--dirs -E,--executability -g,--group -h,--human-readable -H,--hard-links -i,--itemize-changes -I,--ignore-times -k,--copy-dirlinks -K,--keep-dirlinks -l,--links -L,--copy-links -m,--prune-empty-dirs -n,--dry-run -N,--crtimes -o,--owner -O,--omit-dir-times -p,--perms -q,--quiet -r,--recursive -R,--relative -s,--secluded-args,--protect-args -S,--sparse -t,--times -u,--update -U,--atimes -v,--verbose -W,--whole-file -x,--one-file-system -X,--xattrs -y,--fuzzy -z,--compress --del,--delete-during',
    rest: 'from',
    last: 'to',
    recursive: '-a -r --archive --recursive',
    spreads: '-R --relative --files-from',
    scheme: 'rsync',
    looks: '-n --dry-run --list-only',
    flags: {
      '--exclude-from': 'read',
      '--include-from': 'read',
      '--files-from': 'read',
      '--password-file': 'read',
      '--log-file': 'write',
      '--backup-dir': 'write',
      '-T': 'write',
      '--port': 'port',
    },
  },
  dd: { dashes: 'none' },
  dcfldd: { dashes: 'none' },
  tee: {
    long: '-a,--append -i,--ignore-interrupts --output-error --help --version',
    rest: 'write',
    appends: '-a --append',
  },
  tar: {
    values:
      '-f,--file -C,--directory,--cd -X,--exclude-from -T,--files-from -I,--use-compress-program -b,--blocking-factor -g,--listed-incremental -H,--format -K,--starting-file -L,--tape-length -N,--newer,--after-date -V,--label --exclude --transform --xform --strip-components --owner --group --mode --mtime --checkpoint-action --to-command --rsh-command -F,--info-script,--new-volume-script --suffix --warning --sort --record-size --exclude-tag',
    attached: '--one-top-level',
    same: TAR_FLAGS,
  },
  bsdtar: {
    values:
      '-f,--file -C,--directory -X,--exclude-from -T,--files-from -b,--block-size -s --exclude --strip-components --use-compress-program --options --format',
    same: TAR_FLAGS,
  },
  gtar: {
    values:
      '-f,--file -C,--directory -X,--exclude-from -T,--files-from -I,--use-compress-program --exclude --strip-components --to-command --checkpoint-action',
    same: TAR_FLAGS,
  },
  cpio: {
    values: '-D,--directory -F,--file -E,--pattern-file -H,--format -I -O -R,--owner -C -M',
    flags: { '-F': 'read', '-I': 'read', '-O': 'write' },
  },
};
