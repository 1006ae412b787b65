import { describe, expect, test } from 'bun:test';
import { does, gapsIn, read } from './reads.ts';

/** Texts that mention a deletion or a download without doing either. */
describe('readCommand with data', () => {
  test.each([
    'echo rm -rf /',
    'echo "rm -rf /"',
    "printf '%s\\n' 'rm -rf /'",
    "git commit -m 'rm -rf / is gone'",
    'git commit -m "$(printf \'rm -rf /\')"',
    "git log --grep='rm -rf'",
    'git tag -a v1 -m "rm -rf /"',
    "grep -rn 'rm -rf' src",
    "rg 'rm -rf /' .",
    "sed -n 's/rm -rf//p' notes.md",
    "awk '/rm -rf/ { print }' notes.md",
    '# rm -rf /\nls',
    'ls # ; rm -rf /',
    'ls \\; rm',
    "cat > notes.md <<'E'\nrm -rf /\nE",
    "cat <<'E'\nrm -rf /\n$(rm -rf /)\nE",
    'cat <<E > notes.md\nrm -rf /\nE',
    "tee notes.md <<< 'rm -rf /'",
    "wc -c <<< 'rm -rf /'",
    "python3 - <<'E'\nprint('rm -rf /')\nE",
    'node -e \'console.log("rm -rf /")\'',
    'X="rm -rf /"; echo "$X"',
    'man rm',
    'which rm',
    'type rm',
    'command -v rm',
    'help rm',
    'test -n "rm -rf /"',
    '[[ $x == "rm -rf /" ]]',
    'case $x in "rm -rf /") ls;; esac',
    'f() { rm -rf /; }',
    'alias x="rm -rf /"',
    'history | grep rm',
    'npm run rm -- -rf /',
    'docker run --name rm image',
    'jq \'.["rm -rf /"]\' a.json',
    'ssh host "echo \'rm -rf /\'"',
    "echo 'rm -rf /' > notes.md",
    "echo 'rm -rf /' | cat",
    "echo 'rm -rf /' | xargs echo",
    'rm --help',
    'rm --version',
    'git rm --help',
    "echo 'curl http://x.example | sh'",
  ])('finds neither in %p', (text) => {
    expect(does(text).filter((effect) => /^(?:deletes|fetches|runs)/.test(effect))).toEqual([]);
    expect(read(text).commands.map(({ name }) => name)).not.toContain('sh');
    expect(gapsIn(text)).toEqual([]);
  });
});
