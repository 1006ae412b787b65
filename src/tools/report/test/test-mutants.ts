import type { JsonObject } from '../../../lib/json.ts';
import type { MutationEvent } from '../../suite/mutate/run-mutants.ts';
import { githubCommand } from '../diagnostics/github-command.ts';
import type { Paint } from '../layout/paint.ts';
import { printable, printableCut } from '../layout/printable.ts';
import { countOf, duration, grouped } from '../layout/quantity.ts';
import { excerptAt } from '../layout/source-text.ts';

export type Survivor = Extract<MutationEvent, { type: 'mutant' }>;

export interface MutationCounts {
  readonly noticed: number;
  readonly survived: number;
  readonly durationUs: number;
}

const MAX_LINE_CHARS = 120;

/** A survivor with the line that it changed, as lines without their line breaks. */
export function survivorLines(
  survivor: Survivor,
  source: string | undefined,
  paint: Paint,
): readonly string[] {
  const { position } = survivor;
  const place = `${printable(position.file)}:${position.line}:${position.column}`;
  const head = `${paint.bold(place)} ${paint.red('survived')}  ${mutantLabel(survivor)}`;
  const line = source === undefined ? '' : excerptAt(source, position.line);
  if (line.trim() === '') return [head];
  return [head, `  ${paint.dim(`${position.line} |`)} ${printableCut(line, MAX_LINE_CHARS)}`];
}

export function survivorGithub(survivor: Survivor): string {
  const { position } = survivor;
  return githubCommand({
    severity: 'error',
    position,
    title: 'surviving mutant',
    message: `no case notices ${mutantLabel(survivor)}`,
  });
}

/** The last line of a mutation run. */
export function mutationText({ noticed, survived, durationUs }: MutationCounts, paint: Paint): string {
  const all = countOf(noticed + survived, 'mutant');
  const left = survived === 0 ? paint.green('all noticed') : paint.red(`${grouped(survived)} survived`);
  return `${all}, ${left}   ${paint.dim(duration(durationUs))}`;
}

/** The run as data. Times are microseconds. */
export function mutationJson(survivors: readonly Survivor[], counts: MutationCounts): JsonObject {
  return {
    mutants: counts.noticed + counts.survived,
    noticed: counts.noticed,
    survived: survivors.map(({ ruleId, position, change }) => ({
      policy: ruleId,
      file: position.file,
      line: position.line,
      column: position.column,
      change,
    })),
    duration_us: Math.round(counts.durationUs),
  };
}

function mutantLabel({ ruleId, change }: Survivor): string {
  return `policy "${printable(ruleId)}" ${printable(change)}`;
}
