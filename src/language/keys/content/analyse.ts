import { isJsonObject, type Json, type JsonObject, own } from '../../../lib/json.ts';
import type { OwnAnalysis } from '../key-analysis.ts';
import { keys, WHOLE } from '../shape.ts';
import { SCALAR_TEST } from '../types/scalar-test.ts';

export const content: OwnAnalysis = {
  shape: {
    type: 'either',
    text: SCALAR_TEST.regex.shape,
    mapping: keys(() => ({
      test: { shape: SCALAR_TEST.regex.shape, fixed: true },
      scope: { shape: WHOLE, fixed: true },
    })),
  },
  implies: (narrow, wide, lenient) => {
    const [from, to] = [contentOf(narrow), contentOf(wide)];
    const tests = [own(from, 'test') ?? null, own(to, 'test') ?? null] as const;
    return (
      own(from, 'scope') === own(to, 'scope') &&
      own(from, 'role') === own(to, 'role') &&
      SCALAR_TEST.regex.implies(...tests, lenient)
    );
  },
  unknownCause: 'the text is too long for the pattern',
  wholeText: true,
};

function contentOf(spec: Json): JsonObject {
  return isJsonObject(spec) ? { scope: 'new', ...spec } : { scope: 'new', test: spec };
}
