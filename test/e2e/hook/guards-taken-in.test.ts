import { expect, test } from 'bun:test';
import { dirname } from 'node:path';
import { BINARY } from '../../support/binary.ts';
import { fatesOf } from './line-client.ts';
import { type Workplace, workplace } from './workplace.ts';

const MINE = `version: 1
policies: [{id: no-push, command: {subcommand: [git, push]}, action: deny, reason: pushing is for people}]
`;

async function expectFates(
  place: Workplace,
  refused: readonly string[],
  passes: readonly string[],
): Promise<void> {
  const fates = await fatesOf(place, [...refused, ...passes], []);
  expect(refused.filter((_, index) => fates[index] !== 'prevented')).toEqual([]);
  expect(passes.filter((_, index) => fates[refused.length + index] !== 'happens')).toEqual([]);
}

test('wildcards and tests of find take in what guards the agent, if it is there', async () => {
  const place = workplace({
    'project/.policy/git.yaml': MINE,
    'project/app/.gemini/settings.json': '{}',
    'project/app/src/a.yaml': '',
    'project/docs/a.yaml': '',
    'project/node_modules/x/a.json': '',
  });
  await expectFates(
    place,
    [
      "find . -name '*.yaml' -delete",
      "find . -path '*.policy*' -delete",
      "find . -name '*.yaml' -exec chmod 000 {} +",
      "find . -iname '*.YAML' -delete",
      "find . -name 'g*.y?ml' -exec rm {} +",
      "find . -name '*.yaml' | xargs rm",
      "find . -name '*.yaml' -print0 | xargs -0 sed -i s/deny/continue/",
      'for f in $(find . -name "*.yaml"); do rm "$f"; done',
      "find . -path './.policy/*' -delete",
      "find . -path '*/.policy/*' -exec rm {} +",
      "find app -name '*.json' -delete",
      'find app -name settings.json -delete',
      "find . -type d -name '.p*' -exec rm -r {} +",
      'rm .p*/*.yaml',
      'rm -r .p*',
      'mv .p*/*.yaml /tmp',
      'cp docs/a.yaml .p*/git.yaml',
      'cp docs/a.yaml .p*',
      'sed -i s/deny/continue/ .p*/*.yaml',
      "perl -pi -e 's/deny/continue/' .p*/*",
      'chmod 000 .p*/*',
      'for f in .p*/*.yaml; do rm $f; done',
      'cd app && rm .g*/*.json',
      'rm -rf app/.*',
      'rm -rf ap*',
      'fd -H -e yaml -x rm',
    ],
    [
      "find docs -name '*.yaml' -delete",
      "find app/src -name '*.yaml' -delete",
      "find . -name '*.pyc' -delete",
      "find . -path '*.policies*' -delete",
      "find . -name '*.tmp' -path '*.p*' -delete",
      "find . -name '*.yaml'",
      "find . -name '*.yaml' -exec cat {} +",
      "find . -path './docs/*' -delete",
      "find . -path '*/__pycache__/*' -delete",
      "find . -not -path './.policy/*' -name '*.log' -delete",
      'grep -rl x . | xargs sed -i s/x/y/',
      "git ls-files '*.yaml' | xargs sed -i s/x/y/",
      'rm */*.yaml',
      'rm **/*.yaml',
      'rm -rf doc*',
      'rm docs/*',
      'cat .p*/*.yaml',
      'cp .p*/*.yaml /tmp',
      'rm *.yaml',
      'sed -i s/a/b/ docs/*.yaml app/src/*',
    ],
  );
});

test('nothing is taken in where nothing guards', async () => {
  const place = workplace({
    'project/.github/a.yaml': '',
    'project/docs/a.yaml': '',
    'home/notes/a.yaml': '',
  });
  await expectFates(
    place,
    [],
    [
      "find . -name '*.yaml' -delete",
      "find docs -name '*.json' -delete",
      'rm .g*/*.yaml',
      'rm -rf .git*/a.yaml',
      'rm ~/notes/*.yaml',
    ],
  );
});

test('wildcards take in the program that runs, wherever it is', async () => {
  const folder = dirname(BINARY);
  await expectFates(
    workplace(),
    [`rm ${folder}/*`, `rm ${folder}/po*`, `cd ${folder} && rm p*`, `find ${folder} -name 'pol*' -delete`],
    [`rm ${folder}/*.log`, `ls ${folder}/po*`],
  );
});
