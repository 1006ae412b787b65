import type { FileCoverage, PartCoverage, PolicyCoverage } from '../../suite/coverage/coverage.ts';
import { shareOf } from '../../suite/coverage/coverage.ts';
import { alignColumns } from '../layout/columns.ts';
import type { Paint } from '../layout/paint.ts';
import { printable, printableCut } from '../layout/printable.ts';
import { countOf, percent } from '../layout/quantity.ts';

const MAX_LABEL_CHARS = 60;

/** The coverage of each file in a line, and below it every place that no test reached. Ends with a line break. */
export function coverageListing(files: readonly FileCoverage[], paint: Paint): string {
  const rows = files.map(({ file, policies }) => {
    const reached = shareOf(policies);
    const parts = shareOf(policies.flatMap((policy) => policy.parts));
    return [
      printable(file),
      shareText('policies', reached, paint),
      parts.total === 0 ? '' : shareText('alternatives', parts, paint),
    ];
  });
  const heads = alignColumns(rows);
  const lines = files.flatMap(({ policies }, index) => [
    heads[index] ?? '',
    ...policies.flatMap((policy) => missedIn(policy, paint)),
  ]);
  return lines.map((line) => `${line}\n`).join('');
}

function shareText(
  noun: string,
  { hit, total }: { readonly hit: number; readonly total: number },
  paint: Paint,
): string {
  const text = `${percent(hit, total)} of ${total === 1 ? countOf(1, noun === 'policies' ? 'policy' : 'alternative') : `${total} ${noun}`}`;
  return hit === total ? paint.green(text) : paint.yellow(text);
}

function missedIn(policy: PolicyCoverage, paint: Paint): readonly string[] {
  const place = ({ line, column }: PolicyCoverage['position']) => paint.bold(`${line}:${column}`);
  if (policy.hits === 0) {
    return [`  ${place(policy.position)}  no case matches policy "${printable(policy.id)}"`];
  }
  return policy.parts
    .filter(({ hits }) => hits === 0)
    .map(
      (part) =>
        `  ${place(part.position)}  ${missedPart(part)} of "${printable(policy.id)}"${paint.dim(seenText(part))}`,
    );
}

/** How often the policy matched otherwise. */
function seenText({ misses }: PartCoverage): string {
  return misses === 0
    ? ''
    : `, ${countOf(misses, 'case')} ${misses === 1 ? 'matches' : 'match'} it otherwise`;
}

function missedPart({ type, label }: PartCoverage): string {
  const shown = `"${printableCut(label, MAX_LABEL_CHARS)}"`;
  switch (type) {
    case 'alternative':
      return `no case matches alternative ${shown}`;
    case 'exception':
      return `no case is excused by ${shown}`;
    case 'row':
      return `no case gets row ${shown}`;
    case 'fact':
      return `no case has fact ${shown} before a call`;
  }
}
