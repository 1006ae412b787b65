import { describe, expect, test } from 'bun:test';
import type { Json } from '../../src/lib/json.ts';
import { url } from '../../src/matchers/url.ts';
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
    [{ port: [80, 443] }, 'https://a.com/', true],
    [{ path: '^/admin' }, 'https://a.com/admin?x=/', true],
    [{ path: '^/admin' }, 'https://a.com/?x=/admin', false],
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
    [{ host: 'a.com', except: 'ok.a.com' }, 'https://ok.a.com/', false],
    [{ host: 'a.com', except: { path: '^/public/' } }, 'https://a.com/private/', true],
  ])('%j says of %s: %p', (spec, text, truth) => {
    expect(ask('url', spec, fetch(text))).toBe(truth);
  });

  test('finds the addresses in a sentence and in a list', () => {
    expect(ask('url', 'b.com', fetch('compare https://a.com/ with https://b.com/x'))).toBe(true);
    expect(ask('url', 'b.com', fetch(['https://a.com/', 'https://b.com/']))).toBe(true);
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
  });
});
