import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { compileGlob, globProblem } from '../../src/lib/glob/glob.ts';
import { globLiterals } from '../../src/lib/glob/glob-literals.ts';

describe('globLiterals', () => {
  test.each([
    ['**/.env', ['.env']],
    ['**/*.{pem,key}', ['.pem', '.key']],
    ['**/id_{rsa,dsa}', ['id_rsa', 'id_dsa']],
    ['/{bin,etc}/**', ['/bin', '/etc']],
    ['~/.ssh/**', ['~/.ssh']],
    ['/', ['/']],
    ['**/service{-,_}account*.json', ['service-account', 'service_account']],
    ['/{root,home/*}/.{bashrc,profile}', ['/.bashrc', '/.profile']],
    ['/etc/{cron.d,zsh}/**', ['/etc/cron.d', '/etc/zsh']],
    ['/dev/{sd,{a,b}}*', ['/dev']],
    ['**/.env.*.local', ['.env.']],
    ['**', undefined],
    ['*/?', ['/']],
    ['file[ab]', ['file']],
    ['file[]a]', undefined],
    ['file[!]a]', undefined],
    ['**/[A-Za-z]:/Windows/{a,b}', [':/Windows/']],
    ['file{1..3}', undefined],
    ['a\\*b', undefined],
  ])('finds what must stand in a text that fits %s', (glob, literals) => {
    expect(globLiterals(glob)).toEqual(literals);
  });

  test('rules out no text that fits', () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      '.',
      '/',
      '*',
      '**',
      '**/',
      '/**',
      '?',
      '{a,b}',
      '{.a,/b*}',
      '{a,}',
      '[ab]',
      '[!a]',
      '[]a]',
      '[a-b]',
    );
    const glob = fc.array(piece, { minLength: 1, maxLength: 7 }).map((pieces) => pieces.join(''));
    const text = fc
      .array(fc.constantFrom('a', 'b', '.', '/', '[', ']'), { maxLength: 7 })
      .map((units) => units.join(''));
    let ruledOut = 0;
    fc.assert(
      fc.property(glob, text, (pattern, candidate) => {
        fc.pre(globProblem(pattern) === undefined);
        const literals = globLiterals(pattern);
        if (literals === undefined || literals.some((literal) => candidate.includes(literal))) return;
        ruledOut += 1;
        expect(compileGlob(pattern).test(candidate)).toBe(false);
      }),
      { numRuns: 3_000 },
    );
    expect(ruledOut).toBeGreaterThan(50);
  });
});
