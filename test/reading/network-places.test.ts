import { describe, expect, test } from 'bun:test';
import { does } from './reads.ts';

const NETWORK = /^(?:fetches|sends|connects|listens)/;

function goes(text: string): readonly string[] {
  return does(text).filter((effect) => NETWORK.test(effect));
}

describe('readCommand with places that are written in ways of their own', () => {
  test.each<[string, readonly string[]]>([
    ['docker run --rm r.example/a ls', ['connects to r.example/a (docker)']],
    ['docker run localhost:5000/a', ['connects to localhost:5000/a (docker)']],
    ['podman create r.example/a', ['connects to r.example/a (docker)']],
    ['DOCKER_HOST=tcp://d.example docker ps', ['connects to tcp://d.example (tcp)']],
    ['export DOCKER_HOST=ssh://me@d.example; docker ps', ['connects to ssh://me@d.example (ssh)']],
    ['CONTAINER_HOST=ssh://d.example podman ps', ['connects to ssh://d.example (ssh)']],
    ['PGHOST=d.example PGPORT=5433 psql', ['connects to d.example (postgres, port 5433)']],
    ["psql 'host=d.example port=5433 dbname=x'", ['connects to d.example:5433 (postgres)']],
    ["psql -d 'host = d.example dbname=x'", ['connects to d.example (postgres)']],
    ["psql hostaddr='10.0.0.1'", ['connects to 10.0.0.1 (postgres)']],
    ['psql "host=$H dbname=x"', ['connects to ‹$H› (postgres)']],
    ['pg_restore -h d.example -d x a', ['connects to d.example (postgres)']],
    ['createdb -h d.example x', ['connects to d.example (postgres)']],
    ['mysqladmin -h d.example ping', ['connects to d.example (mysql)']],
    ['MYSQL_HOST=d.example mysql x', ['connects to d.example (mysql)']],
    ['mongodump --uri=mongodb://d.example/x', ['connects to mongodb://d.example/x (mongodb)']],
    ['cqlsh d.example 9043', ['connects to d.example (cassandra, port 9043)']],
    ['mosquitto_pub -h d.example -t x -m y', ['sends to d.example (mqtt)']],
    ['ldapsearch -h d.example', ['connects to d.example (ldap)']],
    ['etcdctl --endpoints=d.example:2379 get x', ['connects to d.example:2379 (http)']],
    ['openssl s_client x.example:443', ['connects to x.example:443 (tls)']],
    ['sshfs me@x.example:/a m', ['connects to me@x.example:/a (ssh)']],
    ['mount -t nfs x.example:/a /mnt', ['connects to x.example:/a (nfs)']],
    ['mount -t cifs //x.example/a /mnt', ['connects to //x.example/a (smb)']],
    ['smbclient //x.example/a', ['connects to //x.example/a (smb)']],
    ['smbclient -L x.example', ['connects to x.example (smb)']],
    ['gh pr list --hostname x.example', ['connects to x.example (https)']],
    ['gh pr list -R x.example/me/a', ['connects to x.example/me/a (https)']],
    ['gh repo clone x.example/me/a', ['fetches x.example/me/a (https)']],
    [
      'nc -x p.example:1080 x.example 80',
      ['connects to p.example:1080 (tcp)', 'connects to x.example (tcp, port 80)'],
    ],
    ['ncat -x dump x.example 80', ['connects to x.example (tcp, port 80)']],
    ['ssh -R 8080 x.example', ['connects to x.example (ssh)']],
    ['ssh -D 1080 x.example', ['connects to x.example (ssh)']],
    ['ssh -L 1:/run/a.sock x.example', ['connects to x.example (ssh)']],
    ['dig @s.example x.example MX +short', ['connects to @s.example (dns)', 'connects to x.example (dns)']],
    ['nslookup x.example s.example', ['connects to x.example (dns)', 'connects to s.example (dns)']],
    ['tftp -p -l a x.example', ['sends to x.example (tftp)']],
    ['svn ls https://x.example/a', ['connects to https://x.example/a (https)']],
    ['crane pull x.example/a a.tar', ['fetches x.example/a (docker)']],
  ])('%s', (text, effects) => {
    expect(goes(text)).toEqual([...effects]);
  });
});

describe('readCommand with rclone and dry runs', () => {
  test.each<[string, readonly string[]]>([
    ['rclone copy a r:b', ['sends to r:b (rclone)']],
    ['rclone ls r:', ['connects to r: (rclone)']],
    ['rclone purge r:b', ['connects to r:b (rclone)']],
    ['rclone cat r:b', ['fetches r:b (rclone)']],
    ['rclone mount r: m', ['connects to r: (rclone)']],
    ['rclone -n copy a r:b', ['connects to r:b (rclone)']],
    ['rclone copy a r:b --dry-run', ['connects to r:b (rclone)']],
    ['rclone copy a r:b -n=0', ['sends to r:b (rclone)']],
    ['rclone copy a r:b --dry-run=false', ['sends to r:b (rclone)']],
    ['rsync -n a x.example:b', ['connects to x.example:b (rsync)']],
    ['rsync --list-only x.example:', ['connects to x.example: (rsync)']],
    ['aws s3 sync a s3://b --dryrun', ['connects to s3://b (s3)']],
  ])('%s', (text, effects) => {
    expect(goes(text)).toEqual([...effects]);
  });

  test.each([
    ['rsync -n x.example:a b', 'writes /work/b'],
    ['rclone --dry-run sync r:a b', 'writes /work/b and everything below'],
    ['rclone --dry-run purge a', 'deletes /work/a and everything below'],
  ])('%s leaves files alone', (text, effect) => {
    expect(does(text)).not.toContain(effect);
  });
});

describe('readCommand with commands for clients of file servers', () => {
  test.each<[string, readonly string[]]>([
    ["lftp -c 'open x.example; put a'", ['sends to x.example (ftp)', 'reads /work/a and everything below']],
    ["lftp x.example -e 'mirror -R a'", ['sends to x.example (ftp)', 'reads /work/a and everything below']],
    ["sftp x.example <<< 'get d/a'", ['connects to x.example (ssh)', 'writes /work/a']],
    [
      "smbclient //x.example/s -c 'put a'",
      ['sends to //x.example/s (smb)', 'reads /work/a and everything below'],
    ],
    ["smbclient //x.example/s -c 'ls'", ['connects to //x.example/s (smb)']],
    ["lftp -c '!rm -r d'", ['deletes /work/d and everything below']],
    ["printf 'put a\\n' | ftp x.example", ['sends to x.example (ftp)', 'reads /work/a and everything below']],
  ])('%s', (text, effects) => {
    for (const effect of effects) expect(does(text)).toContain(effect);
  });

  test.each<[string, readonly string[]]>([
    ['socat -u FILE:a TCP:x.example:80', ['reads /work/a', 'sends to x.example:80 (tcp)']],
    ['socat -u ./a TCP:x.example:80', ['reads /work/a', 'sends to x.example:80 (tcp)']],
    ['socat -u TCP:x.example:80 CREATE:a', ['connects to x.example:80 (tcp)', 'writes /work/a']],
    ['socat TCP:x.example:80 OPEN:a', ['sends to x.example:80 (tcp)', 'reads /work/a', 'writes /work/a']],
  ])('%s', (text, effects) => {
    expect(does(text)).toEqual([...effects]);
  });

  test('what is fetched and then run is seen', () => {
    expect(does("sftp x.example <<< 'get d/a.sh'; sh a.sh")).toContain('runs code fetched from x.example');
    expect(does("lftp -c 'open x.example; get a.sh -o b.sh'; sh b.sh").join()).not.toContain('deletes');
  });
});
