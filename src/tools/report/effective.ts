import type { EffectiveFile } from '../../language/policy/compile/compile-files.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Mode, Program, Rule, RuleException } from '../../model/policy.ts';
import type { Repository } from '../../model/surroundings.ts';
import { alignColumns } from './layout/columns.ts';
import type { Paint } from './layout/paint.ts';
import { printable } from './layout/printable.ts';

const SHORT_DIGEST = 12;

/** The policies and settings in force in a directory. */
export interface EffectiveSet {
  readonly directory: string;
  readonly repository: Repository | undefined;
  /** The host whose hook is installed. */
  readonly host: string | undefined;
  readonly files: readonly EffectiveFile[];
  readonly program: Program;
  /** Findings on policies in force under another id than in their file, and on those that are left out because an id is taken. */
  readonly takenIds: readonly Diagnostic[];
  /** Milliseconds since 1970: exceptions that have ended are left out. */
  readonly nowMs: number;
}

/** Every policy in force, by file, for people. Ends with a line break. */
export function effectiveText(effective: EffectiveSet, paint: Paint): string {
  const { directory, repository, host, files, program, takenIds } = effective;
  const head = [
    directory,
    repository?.name ?? undefined,
    host,
    `set ${program.digest.slice(0, SHORT_DIGEST)}`,
  ];
  const blocks = files.map((file) => {
    const rules = rulesIn(file, program);
    const digest = file.digest === undefined ? '' : `sha256:${file.digest.slice(0, SHORT_DIGEST)}`;
    const title = [paint.bold(file.layer), printable(file.file), paint.dim(digest)];
    return [
      title.join('  ').trimEnd(),
      ...scopeLines(file),
      ...file.parameters.map((parameter) => {
        const by = parameter.setBy.length === 0 ? 'default' : `set by ${parameter.setBy.join(', ')}`;
        return `  ${printable(`${parameter.name} = ${JSON.stringify(parameter.value)}`)}  ${paint.dim(printable(by))}`;
      }),
      ...alignColumns(
        rules.map((rule) => [
          '',
          actionOf(rule),
          printable(rule.id),
          marksOf(rule, effective.nowMs).join(', '),
        ]),
        { columns: paint.columns },
      ),
    ].join('\n');
  });
  const first = head.flatMap((part) => (part === undefined ? [] : [printable(part)])).join('  ');
  const taken = takenIds.map(({ severity, position: { file, line }, message }) =>
    printable(`${severity}  ${file}:${line}  ${message}`),
  );
  return `${[first, ...blocks, ...(taken.length === 0 ? [] : [taken.join('\n')])].join('\n\n')}\n`;
}

/** The same as data: `policy explain --effective --json`. */
export function effectiveJson(effective: EffectiveSet): JsonObject {
  const { directory, repository, host, files, program, takenIds, nowMs } = effective;
  return {
    directory,
    repository: repository?.name ?? null,
    host: host ?? null,
    digest: program.digest,
    taken_ids: takenIds.map(({ severity, position: { file, line }, message }) => ({
      severity,
      file,
      line,
      message,
    })),
    files: files.map((file) => ({
      file: file.file,
      layer: file.layer,
      digest: file.digest === undefined ? null : `sha256:${file.digest}`,
      applies_to: file.appliesTo ?? null,
      parameters: file.parameters.map(({ name, value, setBy }) => ({ name, value, set_by: setBy })),
      policies: rulesIn(file, program).map((rule) => ({
        id: rule.id,
        action: actionOf(rule),
        mode: rule.mode,
        trust: rule.trust,
        locked: rule.locked === true,
        line: rule.position.line,
        exceptions: exceptionsOf(rule, nowMs).map(({ owner, reason, endsMs, position }) => ({
          owner,
          reason,
          ends: new Date(endsMs).toISOString(),
          file: position.file,
          line: position.line,
        })),
      })),
    })),
  };
}

function rulesIn({ file }: EffectiveFile, { rules }: Program): readonly Rule[] {
  return rules.filter(({ position }) => position.file === file);
}

function scopeLines({ appliesTo }: EffectiveFile): readonly string[] {
  if (appliesTo === undefined) return [];
  const parts = Object.entries(appliesTo).map(([key, values]) => `${key} ${[values].flat().join(', ')}`);
  return [`  applies to  ${printable(parts.join(' · '))}`];
}

/** The action of a policy; a model decides that of a judge's policy, so it is shown as `llm_judge`. */
export function actionOf({ action, judge }: Rule): string {
  return judge === undefined ? action : 'llm_judge';
}

/** Marks that say why a policy has no effect, or why nobody can take its effect away. */
function marksOf(rule: Rule, nowMs: number): readonly string[] {
  const trust = { active: [], untrusted: ['not trusted'], changed: ['changed since it was trusted'] }[
    rule.trust
  ];
  const exceptions = exceptionsOf(rule, nowMs).map(
    ({ owner, reason, endsMs }) =>
      `except until ${new Date(endsMs).toISOString().slice(0, 16)}Z for ${printable(owner)}: ${printable(reason)}`,
  );
  return [...modeMarks(rule.mode), ...(rule.locked === true ? ['locked'] : []), ...trust, ...exceptions];
}

function modeMarks(mode: Mode): readonly string[] {
  if (mode === 'enforce') return [];
  return mode === 'monitor' ? ['monitored'] : [`in force for ${mode.canary.percent} % by ${mode.canary.by}`];
}

function exceptionsOf({ exceptions = [] }: Rule, nowMs: number): readonly RuleException[] {
  return exceptions.filter(({ endsMs }) => endsMs > nowMs);
}
