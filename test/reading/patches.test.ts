import { describe, expect, test } from 'bun:test';
import { does, gapsIn, runs } from './reads.ts';

const ENVELOPE = `*** Begin Patch
*** Add File: .git/hooks/pre-commit
+#!/bin/sh
+*** Add File: no
*** Update File: ~/.bashrc
@@
-a
+b
*** Delete File: src/old.ts
*** Update File: a.ts
*** Move to: b.ts
@@
-a
+b
*** End Patch`;
const IN_ENVELOPE = [
  'writes /work/.git/hooks/pre-commit',
  'writes /home/me/.bashrc',
  'deletes /work/src/old.ts',
  'writes /work/a.ts',
  'deletes /work/a.ts',
  'writes /work/b.ts',
];
const DIFF = `--- a/src/app.ts\t2024-01-01 00:00:00
+++ b/src/app.ts\t2024-01-01 00:00:00
@@ -1,3 +1,2 @@
 x
--- a/no
+++ b/no
-y
--- /dev/null
+++ b/new.ts
@@ -0,0 +1 @@
+x
--- a/gone.ts
+++ /dev/null
@@ -1 +0,0 @@
-x
`;
const IN_DIFF = ['writes /work/src/app.ts', 'writes /work/new.ts', 'deletes /work/gone.ts'];

describe('readCommand with patches', () => {
  test.each([
    `apply_patch <<'E'\n${ENVELOPE}\nE`,
    `applypatch <<'E'\n${ENVELOPE}\nE`,
    `apply_patch '${ENVELOPE}'`,
    `PATCH_TEXT='${ENVELOPE}'; apply_patch "$PATCH_TEXT"`,
    `apply_patch "$(cat <<'E'\n${ENVELOPE}\nE\n)"`,
    `cat <<'E' | apply_patch\n${ENVELOPE}\nE`,
    `apply_patch <<'E'\n${ENVELOPE.replaceAll('\n', '\r\n')}\nE`,
    `apply_patch <<'E'\n${ENVELOPE.replaceAll('\n*** ', '\n  *** ').replaceAll('File: ', 'File:')}\nE`,
    `apply_patch <<'E'\n${ENVELOPE.replace(/(File: .*)$/gm, '$1\u2028')}\nE`,
  ])('sees every file between Begin Patch and End Patch: %p', (text) => {
    expect(does(text)).toEqual(IN_ENVELOPE);
    expect(gapsIn(text)).toEqual([]);
  });

  test.each([
    `patch -p1 <<'E'\n${DIFF}E`,
    `patch --strip=1 <<'E'\n${DIFF}E`,
    `git apply <<'E'\n${DIFF}E`,
    `git apply - <<'E'\n${DIFF}E`,
    `git am <<'E'\n${DIFF}E`,
    `patch -p1 <<'E'\n${DIFF.replace(/^/gm, '  ')}\nE`,
    `git apply -p2 <<'E'\n${DIFF.replaceAll(' a/', ' a/x/').replaceAll(' b/', ' b/x/')}E`,
  ])('sees every file in a diff: %p', (text) => {
    expect(does(text)).toEqual(IN_DIFF);
  });

  test.each<[string, readonly string[]]>([
    ['patch -p0 <<E\n--- x/a\n+++ x/a\n@@ -1 +1 @@\n-a\n+b\nE', ['writes /work/x/a']],
    ['patch <<E\n--- x/a\n+++ x/a\n@@ -1 +1 @@\n-a\n+b\nE', ['writes /work/x/a', 'writes /work/a']],
    ['patch -p0 -d /etc <<E\n--- x\n+++ x\n@@ -1 +1 @@\n-a\n+b\nE', ['writes /etc', 'writes /etc/x']],
    [
      'patch -p0 <<E\n*** old\n--- new\n***************\n*** 1,2 ****\n--- 1,2 ----\nE',
      ['writes /work/old', 'writes /work/new'],
    ],
    ['patch -R -p1 <<E\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+b\nE', ['deletes /work/x']],
    ['patch f <<E\n--- x\n+++ x\n@@ -1 +1 @@\n-a\n+b\nE', ['writes /work/f']],
    ['patch -p0 --dry-run <<E\n--- x\n+++ x\nE', []],
    ['git apply --stat <<E\n--- a/x\n+++ b/x\nE', []],
    ['git apply --directory=sub <<E\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\nE', ['writes /work/sub/x']],
    ['git -C /srv apply <<E\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\nE', ['writes /srv/x']],
    ['git apply <<E\ndiff --git a/x b/x\ndeleted file mode 100644\nE', ['deletes /work/x']],
    [
      'git apply <<E\ndiff --git a/x b/y\nrename from x\nrename to y\nE',
      ['deletes /work/x', 'writes /work/y'],
    ],
    ['git apply <<E\ndiff --git a/x y b/x y\nold mode 100644\nnew mode 100755\nE', ["writes '/work/x y'"]],
    ['git apply <<E\n--- "a/x\\\\ty"\n+++ "b/x\\\\ty"\n@@ -1 +1 @@\n-a\n+b\nE', ["writes '/work/x\\ty'"]],
    [
      "cd /srv && apply_patch <<'E'\n*** Begin Patch\n*** Add File: x\n+y\nE",
      ['lists /srv', 'writes /srv/x'],
    ],
  ])('names the files as the program does: %p', (text, effects) => {
    expect(does(text).filter((effect) => !effect.startsWith('lists'))).toEqual(
      effects.filter((effect) => !effect.startsWith('lists')),
    );
  });

  test.each([
    'apply_patch "$X"',
    'curl x.example | patch -p1',
    'patch -p1 < fix.patch',
    'patch -p1 -i fix.patch',
    'git apply fix.patch',
    'cd /srv && patch -p1 < fix.patch',
  ])('says that %p writes what nobody can see', (text) => {
    expect(does(text).some((effect) => /^writes .*a file in the patch/.test(effect))).toBe(true);
    expect(gapsIn(text)).toEqual([]);
  });

  test.each([
    'patch -d /srv < a',
    'cd /srv && patch < a',
    'git -C /srv am a',
    'git apply --directory=/srv a',
  ])('takes all of a folder elsewhere for changed: %p', (text) => {
    expect(does(text)).toContain('writes /srv and everything below');
    expect(does(text.replaceAll('/srv', '/work'))).not.toContain('writes /work and everything below');
  });

  test('reads a script that a patch has added, and not what a patch has changed', () => {
    const added = "apply_patch <<'E'\n*** Begin Patch\n*** Add File: x.sh\n+rm a\n*** End Patch\nE\nsh x.sh";
    expect(runs(added)).toContain('rm a');
    const updated = "echo ls > x.sh; apply_patch <<'E'\n*** Update File: x.sh\n@@\n-ls\n+rm a\nE\nsh x.sh";
    expect(runs(updated)).not.toContain('ls');
    expect(gapsIn(updated)).toEqual(['unknown_script']);
  });

  test.each(["apply_patch 'no patch'", "apply_patch <<'E'\n*** Begin Patch\n@@\n+a\n*** End Patch\nE"])(
    'takes a patch that names no file for one of any: %p',
    (text) => {
      expect(does(text)).toEqual(["writes '‹a file in the patch›'"]);
    },
  );

  test('takes no flag for a patch', () => {
    expect(does('apply_patch --help')).toEqual([]);
  });
});
