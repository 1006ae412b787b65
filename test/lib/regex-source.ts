import fc from 'fast-check';

/**
 * Regular expressions over a small alphabet. Portable ones mean the same to the linear-time engine and to JavaScript's;
 * others have flags, quoted parts and escapes of RE2 as well.
 */
export function regexSource({ portable }: { readonly portable: boolean }): fc.Arbitrary<string> {
  const shared = 'a b ab abc a-b \\. \\- . [ab] [^a] [a-c1] \\d \\w \\b (?:)'.split(' ');
  const own = '\\Qa.b\\E \\x61 \\x{62} k S é \\pL [[:alpha:]] []a] \\A ^ $ { \\141'.split(' ');
  const { source } = fc.letrec<{ source: string; piece: string; atom: string }>((tie) => ({
    source: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      tie('piece'),
      fc.tuple(tie('source'), tie('source')).map(([a, b]) => a + b),
      fc.tuple(tie('source'), tie('source')).map(([a, b]) => `(?:${a}|${b})`),
    ),
    piece: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      tie('atom'),
      fc
        .tuple(tie('source'), fc.constantFrom('', '*', '+', '?', '{2}', '{0,2}', '{1,}', '*?', '+?', '{0}'))
        .map(([body, times]) => `(?:${body})${times}`),
      ...(portable
        ? []
        : [
            tie('source').map((body) => `(?i:${body})`),
            tie('source').map((body) => `(?i)${body}`),
            tie('source').map((body) => `(${body})`),
            tie('source').map((body) => `(?-i:${body})`),
          ]),
    ),
    atom: fc.constantFrom(...shared, ...(portable ? [] : own)),
  }));
  return source;
}
