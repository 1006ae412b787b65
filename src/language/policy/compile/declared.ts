import type { Json, JsonObject } from '../../../lib/json.ts';
import type { Rule } from '../../../model/policy.ts';
import type { SetFile } from './resolve.ts';

/** One thing that policy files say, whatever calls it is about. */
export interface DeclaredItem {
  /** Its name: `policy git/no-push`, `exception from git/no-push`. Unique in its set. */
  readonly what: string;
  readonly parts: JsonObject;
}

/** Everything that the files of a set say, packs of this build aside where nobody extends them. */
export function declaredIn(files: readonly SetFile[], rules: readonly Rule[]): readonly DeclaredItem[] {
  const own = files.filter(({ pack }) => pack === undefined);
  const all = [
    ...rules.map(ofRule),
    ...own.flatMap(({ draft }): readonly DeclaredItem[] => [
      ...(draft.exceptions ?? []).map(({ policy, when, endsMs, owner, reason }) => ({
        what: `exception from ${policy.text}`,
        parts: { owner, until: new Date(endsMs).toISOString(), when, reason },
      })),
      ...draft.disable.map(({ text }) => ({ what: `disable ${text}`, parts: {} })),
      ...(draft.unmatchedDeny ? [{ what: `unmatched: deny in ${draft.name}`, parts: {} }] : []),
      ...(draft.onErrorContinue === null ? [] : [{ what: `on_error: continue in ${draft.name}`, parts: {} }]),
      ...(draft.judges ?? []).map(({ name, settings }) => ({ what: `judge ${name}`, parts: settings })),
      ...(draft.programs?.rows ?? []).map(({ name, row }) => ({
        what: `program ${name}`,
        parts: { row: row as unknown as Json },
      })),
      ...(draft.settings ?? []).map(({ parameter, value }) => ({
        what: `setting of ${parameter}`,
        parts: { value },
      })),
      ...(draft.parameters ?? []).map(({ name, type, may, ...rest }) => ({
        what: `parameter ${draft.name}/${name}`,
        parts: { type, may, default: rest.default },
      })),
    ]),
  ];
  return [...Map.groupBy(all, ({ what }) => what).values()].flatMap((list) =>
    list.map(({ what, parts }, index) => ({ what: index === 0 ? what : `${what} (${index + 1})`, parts })),
  );
}

/** A policy without its position, and without the parts that follow from the rest. */
function ofRule({ id, action, mode, on, when, whenUnknown, priority, params, locked, judge, broken }: Rule) {
  const parts = { action, mode, on, when, when_unknown: whenUnknown, priority, ...params };
  return {
    what: `policy ${id}`,
    parts: {
      ...parts,
      ...(locked === undefined ? {} : { locked }),
      ...(judge === undefined ? {} : { judge }),
      ...(broken === undefined ? {} : { broken }),
    } as unknown as JsonObject,
  };
}
