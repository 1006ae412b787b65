import { describe, expect, test } from 'bun:test';
import { gapsIn, runs } from './reads.ts';

const python = (code: string) => `python3 - <<'END'\nimport subprocess, sys\n${code}\nEND`;
const node = (code: string) => `node - <<'END'\nconst { execSync } = require('child_process');\n${code}\nEND`;

const PYTHON = 'def sh(cmd):\n    return subprocess.run(cmd, shell=True)\n';
const NODE = 'function sh(c) { return execSync(c); }\n';

describe('functions of inline code', () => {
  test.each([
    [python(`${PYTHON}sh('ls a')`), ['ls a']],
    [python(`${PYTHON}sh('ls a')\nfor n in ['b', 'c']:\n    sh(f'ls {n}')`), ['ls a', 'ls b', 'ls c']],
    [python(`${PYTHON}x = 'ls a'\nsh(x)\nx = 'ls b'\nsh(x)`), ['ls a', 'ls b']],
    [
      python(`def sh(cmd: str, n: int = 1) -> str:\n    return subprocess.run(cmd, shell=True)\nsh('ls')`),
      ['ls'],
    ],
    [
      python(
        `def run(cmd, *, cwd=None, **more):\n    subprocess.run(cmd, cwd=cwd, **more)\nrun(['ls', 'a'])`,
      ),
      ['ls a'],
    ],
    [python("def run(*words):\n    subprocess.call(words)\nrun('ls', 'a')\nrun('pwd')"), ['ls a', 'pwd']],
    [python("def sh(cmd):\n    cmd.append('a')\n    subprocess.run(cmd)\nsh(['ls'])"), ['ls a']],
    [python(`${PYTHON}sh('ls')\ndef other(cmd):\n    print(cmd)`), ['ls']],
    [python("def go(a, b):\n    subprocess.run([a, b])\ngo('ls', 'x')\ngo('cat', 'y')"), ['ls x', 'cat y']],
    [
      python(
        "def a(x, y):\n    subprocess.run([x, y])\ndef b(x):\n    subprocess.run(x, shell=True)\na('ls', 'x')\nb('pwd')",
      ),
      ['ls x'],
    ],
    [python(`cmd = sys.argv[1]\n${PYTHON}sh('ls')`), ['ls']],
    [python(`class A:\n    def say(self, text):\n        print(text)\n${PYTHON}sh('ls')`), ['ls']],
    [python(`${PYTHON}sh('ls')\n${PYTHON}sh('pwd')`), ['ls', 'pwd']],
    [node(`${NODE}sh('ls a');`), ['ls a']],
    ["php <<'END'\n<?php function sh(string $c): void { passthru($c, $x); }\nsh('ls a');\nEND", ['ls a']],
    [node(`${NODE}sh('ls sh');`), ['ls sh']],
    [
      node("const run = (c, words) => { cp.spawnSync(c, words); };\nrun('npm', ['run', 'lint']);"),
      ['npm run lint'],
    ],
    [node('function visit(n) { each(n, visit); }\nvisit(a);'), []],
    [node("function f(a) { return x ? a : b => c; }\nf('ls'); cp.execSync('ls a');"), ['ls a']],
    [node("const sh = async (c) => execSync(c);\nsh('ls a');"), ['ls a']],
    [node(`${NODE}console.log(\`a: \${sh(\`ls a\`)}\`);`), ['ls a']],
    [python(`${PYTHON}print(f"a: {sh('ls a')}")`), ['ls a']],
  ])('are given what they are called with: %s', (text, commands) => {
    expect(runs(text)).toEqual(expect.arrayContaining(commands));
    expect(gapsIn(text)).toEqual([]);
  });

  test('are definitions, and no calls', () => {
    expect(gapsIn(python('def run(cmd: str):\n    pass'))).toEqual([]);
    expect(gapsIn(python('async def main():\n    pass\nasyncio.run(main())'))).toEqual([]);
  });

  test.each([
    python(PYTHON),
    python("def sh(cmd='ls a'):\n    subprocess.run(cmd, shell=True)\nsh()"),
    python("def sh(cmd='ls a'):\n    subprocess.run(cmd, shell=True)\nsh(words)"),
    python("cmd = 'ls'\ncmd, x = words\nsubprocess.run(cmd, shell=True)"),
    python("cmd = 'ls'\nf(cmd='pwd')\ncmd[0] = x\nsubprocess.run(cmd, shell=True)"),
    python("cmd = 'ls'\n[cmd, x] = words\nsubprocess.run(cmd, shell=True)"),
    python("cmd = ['ls']\ncmd.frob(words)\nsubprocess.run(cmd)"),
    python("cmd = 'ls'\ng = lambda cmd: subprocess.run(cmd, shell=True)\ng(words)"),
    node("let c = 'ls';\n({ c } = words);\nexecSync(c);"),
    node("let c = 'ls';\nconst f = c => execSync(c);\nf(words);"),
    node("const c = 'ls';\nfunction f(c) { execSync(c); }\nf(words);"),
    python(`${PYTHON}sh('ls')\nsh(sys.argv[1])`),
    python(`${PYTHON}sh('ls')\nsh(*sys.argv[1:])`),
    python(`${PYTHON}sh('ls')\nsh(**words)`),
    python(`${PYTHON}sh('ls')\nlist(map(sh, words))`),
    python(`${PYTHON}sh('ls')\nf = sh\nf(sys.argv[1])`),
    python(`${PYTHON}sh('ls')\neval("sh(sys.argv[1])")`),
    python(`@app.command()\n${PYTHON}sh('ls')`),
    python(`${PYTHON}sh('ls')\ndef other(cmd):\n    subprocess.run(cmd, shell=True)`),
    python(`class A:\n    def sh(self, cmd):\n        subprocess.run(cmd, shell=True)\nA().sh('ls')`),
    python(`${PYTHON}sh('ls')\nfor cmd in words:\n    subprocess.run(cmd, shell=True)`),
    python(`${PYTHON}sh('ls')\ncmd, x = words\nsubprocess.run(cmd, shell=True)`),
    python(`${PYTHON}sh('ls')\n(cmd, x) = words\nsubprocess.run(cmd, shell=True)`),
    python(`${PYTHON}sh('ls')\nf = lambda cmd: subprocess.run(cmd, shell=True)\nf(words)`),
    python("def sh(cmd):\n    cmd[0:0] = words\n    subprocess.run(cmd)\nsh(['ls'])"),
    python("def sh(cmd):\n    print(cmd.reverse())\n    subprocess.run(cmd)\nsh(['a', 'rm'])"),
    python("def sh(cmd):\n    [cmd.__setitem__(0, words)]\n    subprocess.run(cmd)\nsh(['ls'])"),
    python(`${PYTHON}sh('ls')\nsys.modules[__name__].sh(words)`),
    python(`${PYTHON}sh('ls')\nsys.modules['__main__'].sh(words)`),
    node(NODE),
    node(`${NODE}sh('ls'); words.forEach(sh);`),
    node(`${NODE}sh('ls'); this.sh(words);`),
    node(`${NODE}sh('ls'); global.sh(words);`),
    node(`${NODE}sh('ls'); global['sh'](words);`),
    node(`${NODE}sh('ls'); a['sh'](words);`),
    node(`${NODE}sh('ls'); run('sh(words)');`),
    node(`${NODE}sh('ls'); setTimeout('sh(words)', 1);`),
    node(`${NODE}sh('ls'); setTimeout(\`sh(\${words})\`, 1);`),
    node(`${NODE}sh('ls'); console.log(\`a: \${sh(words)}\`);`),
    node("function sh(c) { arguments[0] = words; execSync(c); }\nsh('ls');"),
    node(`${NODE}sh('ls'); module.exports = { sh };`),
    node(`${NODE}sh('ls'); class A { go(c) { execSync(c); } }`),
    node(`${NODE}sh('ls'); const [c] = words; execSync(c);`),
    "php <<'END'\n<?php function sh(?string $c = 'ls') { passthru($c); }\nsh($x);\nEND",
    "php <<'END'\n<?php function sh(string $c = 'ls') { passthru($c); }\nsh($x);\nEND",
    node('function sh({ c }) { return execSync(c); }\nsh(words);'),
  ])('are given anything where not every call, or another value, can be seen: %s', (text) => {
    expect(gapsIn(text)).not.toEqual([]);
  });

  test('are given the words of a program, each for itself', () => {
    expect(runs(python("asyncio.create_subprocess_exec('rm', 'a', stdout=PIPE)"))).toContain('rm a');
  });
});
