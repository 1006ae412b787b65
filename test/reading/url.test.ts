import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type AddressKind, addressKind } from '../../src/lib/address.ts';
import { findUrls, normaliseHostName, readRemotePath, readUrl } from '../../src/reader/reading/url.ts';
import { joinWords, showWord, textWord, unknownWord } from '../../src/reader/reading/word.ts';

describe('readUrl', () => {
  test.each([
    ['https://X.Example:8443/a/b?c#d', { scheme: 'https', host: 'x.example', port: 8443, path: '/a/b' }],
    ['x.example/a', { scheme: 'http', host: 'x.example', port: 80, path: '/a' }],
    ['x.example:81', { scheme: 'http', host: 'x.example', port: 81, path: '' }],
    ['HTTP://x.example.', { scheme: 'http', host: 'x.example', port: 80, path: '' }],
    ['http:/x.example/a', { scheme: 'http', host: 'x.example', port: 80, path: '/a' }],
    ['http:\\\\x.example\\a', { scheme: 'http', host: 'x.example', port: 80, path: '/a' }],
    ['https://user:pass@x.example', { scheme: 'https', host: 'x.example', user: 'user', password: true }],
    [
      'https://good.example@evil.example/',
      { scheme: 'https', host: 'evil.example', user: 'good.example', password: false },
    ],
    ['ftp://x.example', { scheme: 'ftp', host: 'x.example', port: 21 }],
    ['https://bücher.example', { scheme: 'https', host: 'xn--bcher-kva.example' }],
    ['http://[::1]:8080/x', { scheme: 'http', host: '::1', port: 8080, path: '/x' }],
    ['http://0x7f000001/', { host: '127.0.0.1' }],
    ['file:///etc/passwd', { scheme: 'file', host: '', path: '/etc/passwd' }],
  ])('takes %p apart', (text, expected) => {
    const url = readUrl(textWord(text), 'http');
    const shown =
      url === undefined ? undefined : { ...url, host: showWord(url.host), path: showWord(url.path) };
    expect(shown).toMatchObject(expected);
  });

  test.each([
    ['https://x.example/a/../b', '/b', '/b'],
    ['https://x.example/../../b/./c/..', '/b/', '/b/'],
    ['https://x.example/%61dmin', '/admin', '/admin'],
    ['https://x.example/a/%2e%2E/b', '/b', '/b'],
    ['https://x.example/b%C3%BCcher', '/bücher', '/bücher'],
    ['https://x.example/%ff%61', '/%ffa', '/%ffa'],
    ['https://x.example/a%2Fb', '/a%2Fb', '/a/b'],
    ['https://x.example/a/..%2fb', '/a/..%2fb', '/b'],
    ['https://x.example/a%5c..%5cb', '/a\\..\\b', '/b'],
    ['https://x.example//a///b', '//a///b', '/a/b'],
    ['https://x.example/%252e%252e/b', '/%2e%2e/b', '/b'],
    ['https://x.example/%', '/%', '/%'],
    ['https://x.example', '', ''],
    ['file:///etc/p%61sswd', '/etc/passwd', '/etc/passwd'],
    ['file:///etc%2fpasswd', '/etc/passwd', '/etc/passwd'],
  ])('reads the path of %p as %p, or %p', (text, strict, loose) => {
    const url = readUrl(textWord(text));
    expect(url === undefined ? [] : [showWord(url.path), showWord(url.lenientPath)]).toEqual([strict, loose]);
  });

  test('knows no port where there is one that cannot be seen', () => {
    const url = readUrl([...textWord('https://x.example:'), ...unknownWord('$PORT'), ...textWord('/a')]);
    expect(url?.port).toBeUndefined();
    expect(url === undefined ? '' : showWord(url.host)).toBe('x.example');
  });

  test('keeps what is not known', () => {
    const url = readUrl([
      ...textWord('https://'),
      ...unknownWord('$HOST'),
      ...textWord('.example/a/'),
      ...unknownWord('$ID'),
    ]);
    expect(url?.scheme).toBe('https');
    expect(url === undefined ? '' : showWord(url.host)).toBe('$HOST.example');
    expect(url === undefined ? '' : showWord(url.path)).toBe('/a/$ID');
    expect(url?.address).toBeUndefined();
    expect(readUrl(joinWords(unknownWord('$U'), textWord('/a')))?.scheme).toBeUndefined();
  });

  test('finds no host where there is none', () => {
    expect(readUrl(textWord(''))).toBeUndefined();
    expect(readUrl(textWord('/local/path'))).toBeUndefined();
    expect(readUrl(textWord('http:///x'), 'http')?.host).toEqual(textWord('x'));
  });

  test('never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl(), fc.string({ unit: 'binary' })), (text) => {
        expect(() => {
          readUrl(textWord(text), 'http');
          readRemotePath(textWord(text));
          findUrls(text);
        }).not.toThrow();
      }),
    );
  });

  test('finds the host of any web URL', () => {
    fc.assert(
      fc.property(fc.webUrl({ validSchemes: ['http', 'https', 'ftp'] }), (text) => {
        const url = readUrl(textWord(text));
        expect(url === undefined ? '' : showWord(url.host)).toBe(new URL(text).hostname.replace(/\.$/, ''));
      }),
    );
  });
});

describe('readRemotePath', () => {
  test.each([
    ['host:path', 'host', 'path', undefined],
    ['h:', 'h', '', undefined],
    ['h:x', 'h', 'x', undefined],
    ['me@Host.Example:/tmp/x', 'host.example', '/tmp/x', 'me'],
    ['[::1]:x', '::1', 'x', undefined],
    ['ssh://me@host/x', 'host', '/x', 'me'],
    ['host:2222/x', 'host', '2222/x', undefined],
    ['host:/a/../b%2fc', 'host', '/b%2fc', undefined],
  ])('takes %p apart', (text, host, path, user) => {
    const url = readRemotePath(textWord(text));
    expect(url === undefined ? [] : [showWord(url.host), showWord(url.path), url.user]).toEqual([
      host,
      path,
      user,
    ]);
  });

  test.each([
    ['host:x', 'rsync', 22],
    ['host::module', 'rsync', 873],
    ['host:x', 'ssh', 22],
    ['pod:/x', 'kubernetes', undefined],
  ])('knows the port of %p by its scheme %p', (text, scheme, port) => {
    const url = readRemotePath(textWord(text), scheme);
    expect([url?.scheme, url?.port]).toEqual([scheme, port]);
  });

  test('takes an address of IPv6 for a host', () => {
    expect(readRemotePath(textWord('fe80::1'))).toBeUndefined();
    expect(readRemotePath(textWord('me@2001:db8::1'))).toBeUndefined();
  });

  test.each(['local', './a:b', '/a:b', 'C:\\a', 'c:/a', 'C:', 'C:a'])('takes %p for a path here', (text) => {
    expect(readRemotePath(textWord(text))).toBeUndefined();
  });
});

describe('addressKind', () => {
  test.each<[string, AddressKind]>([
    ['127.0.0.1', 'loopback'],
    ['127.1', 'loopback'],
    ['2130706433', 'loopback'],
    ['0x7f.1', 'loopback'],
    ['0177.0.0.1', 'loopback'],
    ['0x7f000001', 'loopback'],
    ['localhost', 'loopback'],
    ['LOCALHOST.', 'loopback'],
    ['a.localhost', 'loopback'],
    ['[::1]', 'loopback'],
    ['[0:0:0:0:0:0:0:1]', 'loopback'],
    ['[::ffff:127.0.0.1]', 'loopback'],
    ['[::ffff:7f00:1]', 'loopback'],
    ['[::127.0.0.1]', 'loopback'],
    ['[64:ff9b::127.0.0.1]', 'loopback'],
    ['[2002:7f00:1::]', 'loopback'],
    ['１２７.０.０.１', 'loopback'],
    ['127。0。0。1', 'loopback'],
    ['0.0.0.0', 'unspecified'],
    ['0', 'unspecified'],
    ['[::]', 'unspecified'],
    ['10.1.2.3', 'private'],
    ['167772161', 'private'],
    ['172.16.0.1', 'private'],
    ['172.32.0.1', 'public'],
    ['192.168.1.1', 'private'],
    ['100.64.0.1', 'private'],
    ['[fc00::1]', 'private'],
    ['[fd12::1]', 'private'],
    ['169.254.169.254', 'link_local'],
    ['2852039166', 'link_local'],
    ['[fe80::1]', 'link_local'],
    ['[fd00:ec2::254]', 'link_local'],
    ['metadata.google.internal', 'link_local'],
    ['metadata', 'link_local'],
    ['168.63.129.16', 'link_local'],
    ['168.63.129.17', 'public'],
    ['printer.local', 'private'],
    ['db.prod.internal', 'private'],
    ['local.example', 'name'],
    ['224.0.0.1', 'multicast'],
    ['[ff02::1]', 'multicast'],
    ['8.8.8.8', 'public'],
    ['[2606:4700::1]', 'public'],
    ['x.example', 'name'],
    ['10.example', 'name'],
    ['notlocalhost', 'name'],
  ])('says that %p is %p', (host, kind) => {
    expect(addressKind(normaliseHostName(host))).toBe(kind);
  });

  test('agrees on every notation of an IPv4 address', () => {
    fc.assert(
      fc.property(fc.nat(0xffffffff), (address) => {
        const bytes = [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256);
        const dotted = bytes.join('.');
        const notations = [
          String(address),
          `0x${address.toString(16)}`,
          `0${address.toString(8)}`,
          bytes.map((byte) => `0x${byte.toString(16)}`).join('.'),
          bytes.map((byte) => `0${byte.toString(8)}`).join('.'),
          `${bytes[0]}.${address % 2 ** 24}`,
          `[::ffff:${dotted}]`,
        ];
        for (const host of notations) expect(addressKind(normaliseHostName(host))).toBe(addressKind(dotted));
      }),
    );
  });
});

describe('findUrls', () => {
  test('finds the URLs in a text', () => {
    expect(findUrls('see https://a.example/x?y=1, (http://b.example) and "ftp://c.example/d".')).toEqual([
      'https://a.example/x?y=1',
      'http://b.example',
      'ftp://c.example/d',
    ]);
    expect(findUrls('no :// here')).toEqual([]);
    expect(findUrls('://'.repeat(100_000))).toEqual([]);
  });
});
