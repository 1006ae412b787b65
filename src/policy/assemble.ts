import { sha256Hex } from '../lib/digest.ts';
import { restricts } from '../model/action.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { LAYERS, type ProgramRows, type Rule } from '../model/policy.ts';
import type { CompiledSet, TrustedRule, TrustSet } from './compiled-set.ts';
import { disabledIn } from './disable.ts';
import { withExceptions } from './exceptions.ts';
import type { RuleDraft } from './file-draft.ts';
import { judgesIn } from './judges.ts';
import type { PackSource } from './packs.ts';
import type { PolicyText } from './policy-text.ts';
import { problem, warning } from './problem.ts';
import type { SetFile } from './resolve.ts';
import { TRUSTED_LAYERS } from './trusted-layers.ts';

/** Puts the files of a set together: order, layers, what is disabled, ids that clash, what needs trust. */
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
  const owners = new Map<string, Owner>();
  const noteRule = (root: string, rule: TrustedRule) => {
    needTrust.set(root, [...(needTrust.get(root) ?? []), rule]);
  };
  const noteTrust = ({ root, unset, settings }: SetFile, draft: RuleDraft, index: number) => {
    if (root !== undefined && needsTrust(draft))
      noteRule(root, { index, digest: trustedDigest(draft, root, files) });
    const { judge: _judge, ...without } = unset?.get(draft.id) ?? draft;
    const { judge: _same, ...own } = draft;
    if (unset === undefined || draftDigest(without) === draftDigest(own)) return;
    for (const setter of settings?.foreign.keys() ?? [])
      noteRule(setter, { index, digest: draftDigest(draft), unset: without });
  };
  for (const file of files) {
    for (const draft of file.draft.rules) {
      const owner = owners.get(draft.id);
      if (owner !== undefined && owner.file !== file) {
        if (!isCopy(draft, file, owner)) diagnostics.push(clash(draft.id, owner.file, file, draft.position));
        else if (owner.index !== undefined) noteTrust(file, draft, owner.index);
        continue;
      }
      const isDisabled = disabled.rule(file, draft.id);
      owners.set(draft.id, { file, draft, index: isDisabled ? undefined : rules.length });
      if (isDisabled) continue;
      noteTrust(file, draft, rules.length);
      const { judge, ...rest } = draft;
      const rule: Rule = { ...rest, layer: file.layer, order: rules.length, trust: 'active' };
      rules.push(judge === undefined ? rule : { ...rule, judge: judges.specOf(judge, rule, warnings) });
    }
  }
  const programs = programsIn(files, diagnostics);
  warnings.push(...managedWarnings(files));
  const set: CompiledSet = {
    rules: withExceptions(files, rules, diagnostics, warnings),
    unmatchedDeny: files
      .filter((file) => file.draft.unmatchedDeny && !disabled.pack(file))
      .map(({ layer, file }) => ({ layer, file })),
    onErrorContinue: onErrorContinue(files, warnings),
    ...(programs === undefined ? {} : { programs }),
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

/** What a project sets for policies of others. */
function settingsIn(root: string, files: readonly SetFile[]): Pick<TrustSet, 'settings'> {
  const drafts = files.flatMap(({ settings }) => settings?.foreign.get(root) ?? []);
  return drafts.length === 0
    ? {}
    : { settings: Object.fromEntries(drafts.map(({ parameter, value }) => [parameter, value])) };
}

/** The first policy of an id. */
interface Owner {
  readonly file: SetFile;
  readonly draft: RuleDraft;
  /** Where it stands among those in force; undefined if it is disabled. */
  readonly index: number | undefined;
}

/** Is this the same policy in a repository and in one inside of it, such as a worktree? Once is enough then. */
function isCopy(draft: RuleDraft, { layer, root }: SetFile, { file, draft: first }: Owner): boolean {
  if (layer !== 'project' || file.layer !== 'project' || root === file.root) return false;
  // What a judge is asked is said in other parts of the files as well.
  return draft.judge === undefined && first.judge === undefined && draftDigest(draft) === draftDigest(first);
}

function clash(id: string, owner: SetFile, file: SetFile, position: Diagnostic['position']): Diagnostic {
  const isUpper = LAYERS.indexOf(owner.layer) < LAYERS.indexOf(file.layer);
  const message = `Cannot use id "${id}" again: it belongs to ${owner.file}`;
  const hint = isUpper
    ? 'rename the policy or the file: policies of an upper layer cannot be redefined'
    : 'rename the policy or give one of the files another "name"';
  return problem('duplicate-id', position, message, hint);
}

/** The rows of all files, each program once. */
function programsIn(files: readonly SetFile[], diagnostics: Diagnostic[]): ProgramRows | undefined {
  const owners = new Map<string, { readonly file: SetFile; readonly text: string }>();
  const rows = { own: '', added: '' };
  for (const file of files) {
    for (const { name, row, position } of file.draft.programs?.rows ?? []) {
      const text = JSON.stringify(row);
      const owner = owners.get(name);
      if (owner !== undefined) {
        const isSame = file.layer === 'project' && owner.file.layer === 'project' && owner.text === text;
        if (!isSame) diagnostics.push(programClash(name, owner.file, position));
        continue;
      }
      owners.set(name, { file, text });
      rows[isForeign(file) ? 'added' : 'own'] += `\n${name}\t${text}`;
    }
  }
  return owners.size === 0 ? undefined : { own: `${rows.own}\n`, added: `${rows.added}\n` };
}

function isForeign({ layer, pack }: SetFile): boolean {
  return pack === undefined && !TRUSTED_LAYERS.includes(layer);
}

function programClash(name: string, { file }: SetFile, position: Diagnostic['position']): Diagnostic {
  const message = `Cannot use program "${name}" again: ${file} has it`;
  return problem('duplicate-id', position, message, `extend its row in ${file} instead`);
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

function needsTrust({ action, judge }: RuleDraft): boolean {
  return judge !== undefined || !restricts(action);
}

/** What somebody agrees to: what the policy does, with what the project says of programs. */
function trustedDigest(draft: RuleDraft, root: string, files: readonly SetFile[]): string {
  const rows = files.flatMap((file) => (file.root === root ? (file.draft.programs?.rows ?? []) : []));
  const does = draftDigest(draft);
  return rows.length === 0
    ? does
    : sha256Hex([does, ...rows.map(({ name, row }) => JSON.stringify([name, row]))]);
}

/** What a policy does, wherever it stands. What other files say about its judge is not its doing. */
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
