// Prints every figure that the project promises to keep and fails if one is missed. Ratios are measured in this run;
// bars in times and rates are moved as far as this machine is slower than the one they are for. `npm run bench` runs it;
// `npm run bench -- everyday one-shot` only these parts.
import { type Figure, holds, isAbsolute, show } from './bench/bar.ts';
import { measureEditor } from './bench/editor.ts';
import { measureEveryday } from './bench/everyday.ts';
import { measureHistory } from './bench/history.ts';
import { measureHosts } from './bench/hosts.ts';
import { measureJudge } from './bench/judge.ts';
import { measureLimits } from './bench/limits.ts';
import { measureLongLived } from './bench/long-lived.ts';
import { measureOneShot } from './bench/one-shot.ts';
import { measureSuite } from './bench/suite.ts';
import { makeWorkplace } from './bench/workplace.ts';

const PARTS = {
  judge: measureJudge,
  'one-shot': measureOneShot,
  everyday: measureEveryday,
  hosts: measureHosts,
  'long-lived': measureLongLived,
  history: measureHistory,
  limits: measureLimits,
  suite: measureSuite,
  editor: measureEditor,
};

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !Object.hasOwn(PARTS, name));
if (unknown !== undefined) {
  console.error(
    `Cannot measure "${unknown}": name some of ${Object.keys(PARTS).join(', ')}, or none for all`,
  );
  process.exit(2);
}
const place = makeWorkplace();
const figures: Figure[] = [];
try {
  for (const [name, measure] of Object.entries(PARTS)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    place.pace.sample();
    const measured = await measure(place);
    place.pace.sample();
    const pace = place.pace.take();
    for (const each of measured) {
      const figure = isAbsolute(each) ? { ...each, pace } : each;
      figures.push(figure);
      console.log(show(figure));
    }
  }
} finally {
  place.remove();
}
const missed = figures.filter((figure) => !holds(figure));
console.log(
  missed.length === 0 ? '\nAll bars hold' : `\n${missed.length} of ${figures.length} figures miss their bar`,
);
process.exit(missed.length === 0 ? 0 : 1);
