import type { Json } from '../../../lib/json.ts';
import { TOOL_EVENTS } from '../../../model/event.ts';
import type { CallNeeds } from '../../../model/policy.ts';
import { or, type Truth } from '../../../model/truth.ts';
import { TRAITS } from '../call/traits.ts';
import { callUrls, shownUrl } from '../call/urls.ts';
import type { Matcher } from '../matcher.ts';
import { valueTestLiterals } from '../types/value-test.ts';
import { urlAlternatives } from './place.ts';
import { compileUrlTest, URL_TEST_DEFINITIONS, URL_TEST_SCHEMA, urlTestProblems } from './spec.ts';

export const url = {
  key: 'url',
  summary: 'The call accesses a matching URL, through a fetch tool or a shell command',
  schema: URL_TEST_SCHEMA,
  narrows: true,
  steady: true,
  definitions: URL_TEST_DEFINITIONS,
  events: TOOL_EVENTS,
  check: urlTestProblems,
  needs: urlNeeds,
  compile: (spec) => {
    const test = compileUrlTest(spec);
    return (facts) => {
      const { urls, complete } = callUrls(facts);
      let truth: Truth = complete ? false : 'unknown';
      for (const each of urls) {
        truth = or(truth, test(each));
        if (truth === true) return true;
      }
      return truth;
    };
  },
  seen: (facts) => callUrls(facts).urls.map(shownUrl),
} as const satisfies Matcher;

/** The needs of a call if one of its addresses is to pass a test. */
function urlNeeds(spec: Json): readonly CallNeeds[] {
  return urlAlternatives(spec).flatMap(({ path = null, foreign_token: foreign }): readonly CallNeeds[] => {
    const urls = valueTestLiterals(path)?.anyOf.map((text) => text.toLowerCase());
    if (urls !== undefined) return [{ traits: [TRAITS.network | TRAITS.argument], urls }];
    if (foreign !== true) return [{ traits: [TRAITS.network | TRAITS.argument] }];
    return [{ traits: [TRAITS.argument] }, { traits: [TRAITS.network, TRAITS.sends_token] }];
  });
}
