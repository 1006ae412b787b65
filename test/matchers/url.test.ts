import { describe, expect, test } from 'bun:test';
import { url } from '../../src/language/keys/url/match.ts';
import type { Json } from '../../src/lib/json.ts';
import type { Truth } from '../../src/model/truth.ts';
import { ask, factsOf, shell, unreadable } from './support.ts';

function fetch(text: Json) {
  return factsOf({ on: 'before_tool', tool: 'fetch', arguments: { url: text } });
}

describe('url', () => {
  test.each<[spec: Json, url: string, truth: Truth]>([
    ['example.com', 'https://example.com/', true],
    ['example.com', 'https://api.example.com/', true],
    ['.example.com', 'https://api.example.com/', true],
    ['example.com', 'https://badexample.com/', false],
    ['example.com', 'https://example.com.evil.org/', false],
    ['example.com', 'https://EXAMPLE.com./', true],
    ['example.com', 'https://example.com@evil.org/', false],
    ['example.com', 'https://evil.org/example.com', false],
    ['example.com', 'example.com', true],
    ['*.example.*', 'https://api.example.org/', true],
    ['bücher.example', 'https://xn--bcher-kva.example/', true],
    [['a.com', 'b.com'], 'https://b.com/', true],
    [{ scheme: 'http' }, 'http://a.com/', true],
    [{ scheme: ['http', 'ftp'] }, 'https://a.com/', false],
    [{ port: 8080 }, 'http://a.com:8080/', true],
    [{ port: 22 }, 'http://a.com:0000022/', true],
    [{ port: [80, 443] }, 'https://a.com/', true],
    [{ path: '^/admin' }, 'https://a.com/admin?x=/', true],
    [{ path: '^/admin' }, 'https://a.com/?x=/admin', false],
    [{ path: '^/admin' }, 'https://a.com/x/../admin', true],
    [{ path: '^/admin' }, 'https://a.com/%61dmin', true],
    [{ path: '^/admin' }, 'https://a.com/x/..%2fadmin', 'unknown'],
    [{ path: '^/admin' }, 'https://a.com//admin', 'unknown'],
    [{ path: '^/admin' }, 'https://a.com/group%2Fproject', false],
    [{ path: '^/public/' }, 'https://a.com/public/a%2Fb', true],
    [{ private: true }, 'http://127.0.0.1/', true],
    [{ private: true }, 'http://0x7f.1/', true],
    [{ private: true }, 'http://2130706433/', true],
    [{ private: true }, 'http://[::ffff:10.0.0.1]/', true],
    [{ private: true }, 'http://169.254.169.254/latest/', true],
    [{ private: true }, 'http:127.0.0.1/', true],
    [{ private: true }, 'https:10.0.0.1', true],
    [{ private: true }, 'http:\t//127.0.0.1', true],
    [{ private: true }, 'http:\n//127.0.0.1', true],
    [{ private: true }, 'ht\ntp://127.\t0.0.1', true],
    [{ private: true }, ' http://127.0.0.1', true],
    [{ private: true }, 'http://////127.0.0.1', true],
    [{ private: true }, 'http://metadata/', true],
    [{ private: true }, 'http://168.63.129.16/', true],
    [{ private: true }, 'http://printer.local/', true],
    [{ private: true }, 'http://db.internal/', true],
    [{ private: true }, 'http://8.8.8.8/', false],
    [{ private: true }, 'http://localhost:3000/', true],
    [{ private: false }, 'https://a.com/', true],
    [{ credentials: true }, 'https://user:secret@a.com/', true],
    [{ credentials: true }, 'https://user@a.com/', false],
    [{ foreign_token: true }, 'https://a.com/?q=ghp_0123456789abcdefghijABCDEFGHIJ012345', true],
    [{ foreign_token: false }, 'https://a.com/?q=ghp_0123456789abcdefghijABCDEFGHIJ012345', false],
    [{ foreign_token: true }, 'https://github.com/?q=ghp_0123456789abcdefghijABCDEFGHIJ012345', false],
    [{ foreign_token: true }, 'https://a.com/?q=ghp', false],
    [{ host: 'a.com', except: 'ok.a.com' }, 'https://ok.a.com/', false],
    [{ host: 'a.com', except: { path: '^/public/' } }, 'https://a.com/private/', true],
    [{ host: 'a.com', except: { path: '^/public/' } }, 'https://a.com/public/../private/', true],
    [{ host: 'a.com', except: { path: '^/public/' } }, 'https://a.com/public/%2e%2e/private/', true],
    [{ host: 'a.com', except: { path: '^/public/' } }, 'https://a.com/private/..%2fpublic/', 'unknown'],
  ])('%j says of %s: %p', (spec, text, truth) => {
    expect(ask('url', spec, fetch(text))).toBe(truth);
  });

  test.each<[spec: Json, url: string, truth: Truth]>([
    ['example.com:8443', 'https://example.com:8443/', true],
    ['example.com:8443', 'https://api.example.com:8443/', true],
    ['example.com:8443', 'https://example.com/', false],
    ['localhost:3000-3999', 'http://localhost:3456', true],
    ['localhost:3000-3999', 'http://localhost:4000', false],
    ['*.example.com:443', 'https://a.example.com/', true],
    ['[::1]:8080', 'http://[0:0::1]:8080/', true],
    ['::1', 'http://[::1]:8080/', true],
    [['a.com:80', 'b.com'], 'https://a.com/', false],
    [['a.com:80', 'b.com'], 'https://b.com/', true],
    [['a.com', { host: 'b.com', path: '^/docs/' }], 'https://b.com/docs/x', true],
    [['a.com', { host: 'b.com', path: '^/docs/' }], 'https://b.com/', false],
    [{ port: '1024-65535' }, 'http://a.com:8080/', true],
    [{ port: [22, '8000-8999'] }, 'http://a.com:8080/', true],
    [{ port: [22, '8000-8999'] }, 'http://a.com/', false],
    [{ host: { equals: 'example.com' } }, 'https://EXAMPLE.com./', true],
    [{ host: { equals: 'example.com' } }, 'https://api.example.com/', false],
    [{ host: { one_of: ['a.com', '127.0.0.1'] } }, 'http://0x7f.1/', true],
    [{ host: { one_of: ['a.com', 'b.com'] } }, 'https://x.b.com/', false],
    ['10.0.0.0/8', 'http://10.255.0.1/', true],
    ['10.0.0.0/8', 'http://0xa.1/', true],
    ['10.0.0.0/8', 'http://167772161/', true],
    ['10.0.0.0/8', 'http://11.0.0.1/', false],
    ['10.0.0.0/8', 'http://10.0.0.1.example.com/', false],
    ['10.0.0.0/8', 'http://[::ffff:10.0.0.1]/', true],
    ['10.0.0.0/8', 'http://[64:ff9b::a00:1]/', 'unknown'],
    ['10.0.0.0/8', 'http://[2002:a00:1::]/', 'unknown'],
    ['10.0.0.0/8', 'https://example.com/', false],
    ['10.0.0.0/8', 'http://db.internal/', 'unknown'],
    ['127.0.0.0/8', 'http://localhost/', 'unknown'],
    ['127.0.0.0/8', 'http://0.0.0.0/', 'unknown'],
    ['8.8.0.0/16', 'http://localhost/', false],
    ['0.0.0.0/0', 'http://8.8.8.8/', true],
    ['0.0.0.0/0', 'http://[2001:db8::1]/', false],
    ['::/0', 'http://8.8.8.8/', false],
    ['fd00::/8', 'http://[fd12::1]/', true],
    ['[fd00::]/8', 'http://[fe80::1]/', false],
    ['169.254.169.254', 'http://[::ffff:169.254.169.254]/', true],
    ['169.254.169.254', 'http://2852039166/', true],
    [{ host: '10.0.0.0/8', port: 443 }, 'https://10.1.1.1/', true],
    [{ except: ['a.com:443', '10.0.0.0/8'] }, 'https://a.com/', false],
    [{ except: ['a.com:443', '10.0.0.0/8'] }, 'http://a.com/', true],
    [{ except: ['a.com:443', '10.0.0.0/8'] }, 'http://10.1.1.1/', false],
    [{ except: ['a.com:443', '10.0.0.0/8'] }, 'http://[::ffff:10.1.1.1]/', false],
    [{ except: '10.0.0.0/8' }, 'http://[64:ff9b::a00:1]/', 'unknown'],
    [{ except: [{ host: 'a.com', path: '^/docs/' }, 'b.com'] }, 'https://a.com/other', true],
    [{ except: [{ host: 'a.com', path: '^/docs/' }, 'b.com'] }, 'https://a.com/docs/../other', true],
    [{ except: [{ host: 'a.com', path: '^/docs/' }, 'b.com'] }, 'https://a.com/docs/x', false],
  ])('takes places as alternatives: %j says of %s: %p', (spec, text, truth) => {
    expect(ask('url', spec, fetch(text))).toBe(truth);
  });

  test.each<[spec: Json, command: string, truth: Truth]>([
    ['10.0.0.0/8', 'curl "http://10.0.0.$X/"', 'unknown'],
    ['10.0.0.0/8', 'curl "http://192.168.$X/"', false],
    ['10.0.0.0/8', 'curl "https://$SUB.example.com/"', false],
    ['10.0.0.0/8', 'curl "http://$HOST/"', 'unknown'],
    ['10.0.0.1', 'curl "http://192.168.0.$X/"', false],
    ['10.0.0.0/8', 'ssh 0xa.1', true],
    ['example.com:22', 'ssh example.com', true],
    ['example.com:22', 'ssh -p 2222 example.com', false],
    ['localhost:3000-3999', 'curl "localhost:$PORT"', 'unknown'],
  ])('takes places as alternatives: %j says of %s: %p', (spec, text, truth) => {
    expect(ask('url', spec, shell(text))).toBe(truth);
    expect(ask('command', { run: '*', network: spec }, shell(text))).toBe(truth);
  });

  test('finds the addresses in a sentence and in a list', () => {
    expect(ask('url', 'b.com', fetch('compare https://a.com/ with https://b.com/x'))).toBe(true);
    expect(ask('url', 'b.com', fetch(['https://a.com/', 'https://b.com/']))).toBe(true);
  });

  test.each([
    'nc 2130706433 80',
    'ssh 0x7f.1',
    'scp a [::1]:b',
    'git clone git://[::1]/a',
    'psql "host=0x7f.1"',
    'PGHOST=127.1 psql',
    'DOCKER_HOST=tcp://0x7f.1:1 docker ps',
    'docker run 127.0.0.1:5000/a',
    'mount -t nfs 10.1:/a /mnt',
    'mount //0x7f.1/a /mnt',
    'smbclient //10.1/a',
    "smbclient '\\\\10.1\\a'",
    'openssl s_client 0x7f.1:443',
    'nc -x 10.1:1 example.com 80',
    'dig @127.1 example.com',
    'nslookup example.com 10.1',
    'curl http://[fe80::1%25eth0]/',
    'curl //127.0.0.1/',
    'X=127.1; curl $X',
    'export X=127.1; sh -c "curl $X"',
    'echo 127.1 | xargs curl',
    'git -c http.proxy=127.1 fetch',
    'git config http.proxy http://127.1',
    'npm config set registry http://127.1',
    'YARN_REGISTRY=http://127.1 yarn',
    'GH_HOST=10.1 gh pr list',
  ])('finds that %s goes to a private address', (text) => {
    expect(ask('url', { private: true }, shell(text))).toBe(true);
  });

  test.each([
    'nc -lk 8080',
    'docker run me/10.0.0.1',
    'dig example.com A',
    'ssh -D 1080 example.com',
    'ssh -R 8080 example.com',
    'mount /dev/sda1 /mnt',
    'psql -h /run/postgresql a',
    'npm config set registry https://example.com',
    'git config user.name 10.0.0.1',
    'DOCKER_HOST=tcp://10.0.0.1 ls',
    'git "$X"',
    'nmap 8.8.8.*',
  ])('finds no private address in %s', (text) => {
    expect(ask('url', { private: true }, shell(text))).toBe(false);
  });

  test('words that are not known may bring a subcommand and a place', () => {
    expect(ask('url', { private: true }, shell('git $X'))).toBe('unknown');
    expect(ask('url', { private: true }, shell('git log $X'))).toBe(false);
  });

  test.each<[command: string, truth: Truth]>([
    ['curl -s https://example.com/a', true],
    ['wget example.com', true],
    ['git clone git@example.com:a/b.git', true],
    ['ssh me@example.com', true],
    ['curl https://example.org', false],
    ['echo https://example.com', false],
    ['curl "https://$SUB.example.com/"', true],
    ['curl "$URL"', 'unknown'],
    ['curl -K conf', 'unknown'],
    ['curl -x example.com https://example.org', true],
    ['pip install --index-url https://example.com/simple x', true],
    ['npm ci', false],
    ['npm ci --registry "$R"', 'unknown'],
    ['git push origin main', false],
    ['git push "$REMOTE"', 'unknown'],
    ['docker pull example.com/a/b', true],
    ['curl "https://$HOST/"', 'unknown'],
    ['sh -c "$X"', 'unknown'],
  ])('says of the command %s: %p', (text, truth) => {
    expect(ask('url', 'example.com', shell(text))).toBe(truth);
  });

  test('judges an exception for each address', () => {
    const spec = { host: 'a.com', except: 'ok.a.com' };
    expect(ask('url', spec, shell('curl https://ok.a.com https://no.a.com'))).toBe(true);
  });

  test('is unknown where the arguments cannot be read', () => {
    expect(ask('url', 'a.com', unreadable('fetch'))).toBe('unknown');
  });

  test('says where a pattern is wrong', () => {
    expect(url.check({ path: '(', except: { path: '(' } }).map(({ path }) => path)).toEqual([
      ['path'],
      ['except', 'path'],
    ]);
    expect(url.check(['a.com', { path: '(' }]).map(({ path }) => path)).toEqual([[1, 'path']]);
  });

  test.each<[spec: Json, path: readonly (string | number)[], hint: string]>([
    ['a.com:0', [], 'write a port from 1 to 65535, or the lower one first: 8000-8999'],
    [['a.com', 'a.com:99999'], [1], 'write a port from 1 to 65535, or the lower one first: 8000-8999'],
    [{ port: '9000-8000' }, ['port'], 'write a port from 1 to 65535, or the lower one first: 8000-8999'],
    [
      { port: [1, '5-70000'] },
      ['port', 1],
      'write a port from 1 to 65535, or the lower one first: 8000-8999',
    ],
    ['10.0.0.5/8', [], 'write 10.0.0.0/8 for all of them, or 10.0.0.5'],
    ['fd00::1/8', [], 'write fd00::/8 for all of them, or fd00::1'],
    ['10.0.0.0/33', [], 'write a range as 10.0.0.0/8 or fd00::/8'],
    ['10.0.0.256', [], 'write four numbers up to 255, or a range as 10.0.0.0/8'],
    [{ except: ['10.0'] }, ['except', 0], 'write four numbers up to 255, or a range as 10.0.0.0/8'],
    [{ host: { equals: '*.a.com' } }, ['host', 'equals'], 'write host: "*.a.com"'],
    [{ host: { one_of: ['a.com', '10.0.0.0/8'] } }, ['host', 'one_of', 1], 'write host: "10.0.0.0/8"'],
  ])('says that %j can match nothing', (spec, path, hint) => {
    expect(url.check(spec)).toEqual([expect.objectContaining({ code: 'never-matches', path, hint })]);
  });
});
