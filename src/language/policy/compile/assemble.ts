import { sha256Hex } from '../../../lib/digest.ts';
import { restricts } from '../../../model/action.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { ProgramRows, Rule } from '../../../model/policy.ts';
import { plainId } from '../../../model/rule-id.ts';
import type { PolicyText } from '../files/policy-text.ts';
import type { FactDraft, RuleDraft } from '../parse/file-draft.ts';
import { note, warning } from '../yaml/problem.ts';
import type { CompiledSet, TrustedRule, TrustSet } from './compiled-set.ts';
import { disabledIn } from './disable.ts';
import { withExceptions } from './exceptions.ts';
import { isAbove } from './is-above.ts';
import { judgesIn } from './judges.ts';
import type { PackSource } from './packs.ts';
import type { SetFile } from './resolve.ts';
import { factTable } from './resolve-facts.ts';
import { type RuleIds, ruleIds } from './rule-ids.ts';
import { isUntrusted, TRUSTED_LAYERS } from './trusted-layers.ts';

/** Puts the files of a set together: order, layers, disabled policies, ids that clash, policies that need trust. */
export function assemble(
  files: readonly SetFile[],
  texts: readonly PolicyText[],
  packs: PackSource,
): { readonly set: CompiledSet; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const warnings: Diagnostic[] = [];
  const disabled = disabledIn(files, packs, diagnostics, warnings);
  const judges = judgesIn(files, diagnostics, warnings);
  const rules: Rule[] = [];
  const needTrust = new Map<string, TrustedRule[]>();
  const ids = ruleIds(files);
  const placed = new Map<string, readonly PlacedRule[]>();
  const noteRule = (root: string, rule: TrustedRule) => {
    needTrust.set(root, [...(needTrust.get(root) ?? []), rule]);
  };
  const facts = factTable(files, diagnostics);
  const noteTrust = (file: SetFile, draft: RuleDraft, index: number, id: string) => {
    const { root, unset, settings } = file;
    if (root !== undefined && (draft.judge !== undefined || !restricts(draft.action)))
      noteRule(root, { index, digest: trustedDigest(draft, root, files) });
    const written = unset?.get(draft.id);
    const { judge: _judge, ...without } = (written && facts.resolve(written, file)) ?? draft;
    const { judge: _same, ...own } = draft;
    facts.use(without.when);
    if (unset === undefined || draftDigest(without) === draftDigest(own)) return;
    for (const setter of settings?.foreign.keys() ?? [])
      noteRule(setter, { index, digest: draftDigest(draft), unset: { ...without, id } });
  };
  for (const file of files) {
    for (const written of file.draft.rules) {
      if (disabled.rule(file, written.id)) continue;
      const draft = facts.resolve(written, file);
      if (draft === undefined) continue;
      const others = placed.get(draft.id) ?? [];
      const same = others.find((other) => other.file !== file && isCopy(draft, other.draft));
      if (same !== undefined) {
        // If both need it, the policy counts if one of the two projects is trusted.
        if (same.file.root !== undefined) noteTrust(file, draft, same.index, same.id);
        continue;
      }
      const owner = ids.ownerOf(draft.id) ?? file;
      if (owner !== file && isLeftOut(draft, file, owner) && !disabled.rule(owner, draft.id)) {
        warnings.push(leftOut(draft, owner));
        continue;
      }
      const id = owner === file ? draft.id : ids.qualified(draft.id, file);
      placed.set(draft.id, [...others, { file, draft, index: rules.length, id }]);
      noteTrust(file, draft, rules.length, id);
      facts.use(draft.when);
      const { judge, ...rest } = draft;
      const rule: Rule = { ...rest, id, layer: file.layer, order: rules.length, trust: 'active' };
      rules.push(judge === undefined ? rule : { ...rule, judge: judges.specOf(judge, rule, warnings) });
    }
  }
  warnings.push(...renamed(rules, ids));
  const programs = programsIn(files, warnings);
  const rows = facts.rows();
  warnings.push(...managedWarnings(files), ...facts.unused().map(unusedFact));
  const set: CompiledSet = {
    rules: withExceptions(files, rules, warnings),
    unmatchedDeny: files
      .filter((file) => file.draft.unmatchedDeny && !disabled.pack(file))
      .map(({ layer, file }) => ({ layer, file })),
    onErrorContinue: onErrorContinue(files, warnings),
    ...(programs === undefined ? {} : { programs }),
    ...(rows === undefined ? {} : { facts: rows }),
    trustSets: [...needTrust].map(
      ([root, list]): TrustSet => ({
        root,
        digest: setDigest(root, files, texts),
        rules: list,
        ...settingsIn(root, files),
      }),
    ),
    warnings,
  };
  return { set, diagnostics };
}

/** The settings of a project for policies of others. */
function settingsIn(root: string, files: readonly SetFile[]): Pick<TrustSet, 'settings'> {
  const drafts = files.flatMap(({ settings }) => settings?.foreign.get(root) ?? []);
  return drafts.length === 0
    ? {}
    : { settings: Object.fromEntries(drafts.map(({ parameter, value }) => [parameter, value])) };
}

interface PlacedRule {
  readonly file: SetFile;
  readonly draft: RuleDraft;
  readonly index: number;
  readonly id: string;
}

/** True for the same policy, such as in a repository and a worktree inside of it. Once is enough then. */
function isCopy(draft: RuleDraft, other: RuleDraft): boolean {
  // Other parts of the files add to the question to a judge.
  return draft.judge === undefined && other.judge === undefined && draftDigest(draft) === draftDigest(other);
}

/** A refusal is never dropped. The rest of a lower layer might undo the policy of this id above. */
function isLeftOut({ action, judge }: RuleDraft, file: SetFile, owner: SetFile): boolean {
  return isAbove(owner, file) && judge === undefined && !restricts(action);
}

const RENAME = 'rename the policy, or give the file another "name"';

function leftOut({ id, action, position }: RuleDraft, owner: SetFile): Diagnostic {
  const message = `Cannot use action "${action}" of policy "${id}": the id belongs to ${owner.file}, which is above; it is left out`;
  return warning('duplicate-id', position, message, RENAME);
}

/** For each file whose policies hold under other ids: which ids these are. */
function renamed(rules: readonly Rule[], { ownerOf }: RuleIds): readonly Diagnostic[] {
  const others = rules.filter(({ id }) => plainId(id) !== id);
  return [...Map.groupBy(others, ({ position }) => position.file).values()].flatMap((list) => {
    const [first] = list;
    if (first === undefined) return [];
    const { id, position } = first;
    const plain = plainId(id);
    const more = list.length === 1 ? '' : `, and so do ${list.length - 1} more of this file`;
    const message = `Policy "${plain}" holds as "${id}": the id belongs to ${ownerOf(plain)?.file ?? 'another file'}${more}`;
    return [note('duplicate-id', position, message, RENAME)];
  });
}

/** The rows of all files. If a program has several rows, commands are judged with each, so that none hides another's effects. */
function programsIn(files: readonly SetFile[], warnings: Diagnostic[]): ProgramRows | undefined {
  const owners = new Map<string, { readonly file: SetFile; readonly texts: Set<string> }>();
  let knownToo: true | undefined;
  const rows = { own: '', added: [] as string[] };
  for (const file of files) {
    for (const { name, row, position } of file.draft.programs?.rows ?? []) {
      const text = JSON.stringify(row);
      const owner = owners.get(name) ?? { file, texts: new Set() };
      owners.set(name, owner);
      if (owner.texts.has(text)) continue;
      const isKnown = isShipped(name);
      if (isKnown) knownToo = true;
      if (isKnown) warnings.push(programKnown(name, position));
      else if (owner.texts.size > 0) warnings.push(programTwice(name, owner.file, position));
      const line = `\n${name}\t${text}`;
      if (owner.texts.size === 0 && !isKnown && !isUntrusted(file)) rows.own += line;
      else {
        const place = rows.added.findIndex((lines) => !`${lines}\n`.includes(`\n${name}\t`));
        if (place < 0) rows.added.push(line);
        else rows.added[place] += line;
      }
      owner.texts.add(text);
    }
  }
  if (owners.size === 0) return undefined;
  const [added = '', ...others] = rows.added.map((lines) => `${lines}\n`);
  return {
    own: `${rows.own}\n`,
    added: added === '' ? '\n' : added,
    ...(others.length === 0 ? {} : { others }),
    ...(knownToo === undefined ? {} : { knownToo }),
  };
}

/** Loads the rows of programs late: they are large, and few files have any. */
function isShipped(name: string): boolean {
  const { shippedFile } =
    require('../../../reader/programs/spec/rows.ts') as typeof import('../../../reader/programs/spec/rows.ts');
  return shippedFile(name) !== undefined;
}

/** A newer build may know a program that a file has a row for. */
function programKnown(name: string, position: Diagnostic['position']): Diagnostic {
  const message = `Program "${name}" is known without this row, too: commands are judged with it and without it`;
  return warning(
    'duplicate-id',
    position,
    message,
    'leave it out if policy explain says the same without it',
  );
}

function programTwice(name: string, { file }: SetFile, position: Diagnostic['position']): Diagnostic {
  const message = `Program "${name}" has a row in ${file} as well: commands are judged with each of the two`;
  return warning('duplicate-id', position, message, `extend the row in ${file} instead`);
}

/** True if a file that may say so wants errors to let calls pass. */
function onErrorContinue(files: readonly SetFile[], warnings: Diagnostic[]): boolean {
  let found = false;
  for (const { draft, layer } of files) {
    if (draft.onErrorContinue === null) continue;
    if (TRUSTED_LAYERS.includes(layer)) found = true;
    else {
      const message = `Cannot use "on_error" in a ${layer} file: it has no effect`;
      warnings.push(
        warning(
          'trust',
          draft.onErrorContinue,
          message,
          'write it in a file of the user or the organisation',
        ),
      );
    }
  }
  return found;
}

/** A bundle does not say which one comes after it. */
function managedWarnings(files: readonly SetFile[]): readonly Diagnostic[] {
  return files.flatMap(({ draft: { managed }, layer }) => {
    if (managed === undefined || layer === 'organisation' || layer === 'named') return [];
    const message = `Cannot use "managed" in a ${layer} file: it has no effect`;
    return [warning('trust', managed.position, message, 'write it in a file of the organisation')];
  });
}

function unusedFact({ name, position }: FactDraft): Diagnostic {
  const message = `Fact "${name}" is never used: no policy asks for it`;
  return warning('fact', position, message, 'ask for it with "history" or "carries", or leave it out');
}

/** The digest that somebody trusts: of the policy's effect, with the project's rows of programs. */
function trustedDigest(draft: RuleDraft, root: string, files: readonly SetFile[]): string {
  const rows = files.flatMap((file) => (file.root === root ? (file.draft.programs?.rows ?? []) : []));
  const does = draftDigest(draft);
  return rows.length === 0
    ? does
    : sha256Hex([does, ...rows.map(({ name, row }) => JSON.stringify([name, row]))]);
}

/** The digest of a policy's effect, wherever it is. The words of other files about its judge do not count. */
function draftDigest({ position: _position, judge, ...does }: RuleDraft): string {
  if (judge === undefined) return sha256Hex([JSON.stringify(does)]);
  const { places: _places, ...asks } = judge;
  return sha256Hex([JSON.stringify({ ...does, judge: asks })]);
}

function setDigest(root: string, files: readonly SetFile[], texts: readonly PolicyText[]): string {
  const own = files.filter((file) => file.root === root);
  const packs = own.filter(({ pack }) => pack !== undefined);
  return sha256Hex([
    ...packs.flatMap(({ file, draft }) => [file, JSON.stringify(draft.rules)]),
    ...own.flatMap(({ data }) => data.flatMap(({ at, state }) => [at, state])),
    ...texts.filter((text) => text.root === root).flatMap((text) => [text.path, text.text]),
  ]);
}
