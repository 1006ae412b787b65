import { describe, expect, test } from 'bun:test';
import { gapsIn, runs } from './reads.ts';

const python = (code: string) => `python3 - <<'END'\nimport subprocess, sys\n${code}\nEND`;
const node = (code: string) => `node - <<'END'\nconst { execSync } = require('child_process');\n${code}\nEND`;

const PYTHON = 'def sh(cmd):\n    return subprocess.run(cmd, shell=True)\n';
const NODE = 'function sh(c) { return execSync(c); }\n';

describe('functions of inline code', () => {
  test('are definitions, and no calls', () => {
    expect(gapsIn(python('def run(cmd: str):\n    pass'))).toEqual([]);
    expect(gapsIn(python('async def main():\n    pass\nasyncio.run(main())'))).toEqual([]);
  });

  test.each([
    python(PYTHON),
    python(`${PYTHON}sh('ls a')`),
    python(`cmd = sys.argv[1]\n${PYTHON}sh('ls')`),
    python("def run(*words):\n    subprocess.call(words)\nrun('ls', 'a')"),
    python("def sh(cmd='ls a'):\n    subprocess.run(cmd, shell=True)\nsh()"),
    python("cmd = 'ls'\ncmd, x = words\nsubprocess.run(cmd, shell=True)"),
    python("cmd = 'ls'\nf(cmd='pwd')\ncmd[0] = x\nsubprocess.run(cmd, shell=True)"),
    python("cmd = 'ls'\n[cmd, x] = words\nsubprocess.run(cmd, shell=True)"),
    python("cmd = ['ls']\ncmd.frob(words)\nsubprocess.run(cmd)"),
    python("cmd = 'ls'\ng = lambda cmd: subprocess.run(cmd, shell=True)\ng(words)"),
    python(`class A:\n    def sh(self, cmd):\n        subprocess.run(cmd, shell=True)\nA().sh('ls')`),
    python(`${PYTHON}cmd, x = words\nsubprocess.run(cmd, shell=True)`),
    python("def sh(cmd):\n    cmd[0:0] = words\n    subprocess.run(cmd)\nsh(['ls'])"),
    node(NODE),
    node(`${NODE}sh('ls a');`),
    node("const sh = async (c) => execSync(c);\nsh('ls a');"),
    node("let c = 'ls';\n({ c } = words);\nexecSync(c);"),
    node("let c = 'ls';\nconst f = c => execSync(c);\nf(words);"),
    node("const c = 'ls';\nfunction f(c) { execSync(c); }\nf(words);"),
    node("function sh(c) { arguments[0] = words; execSync(c); }\nsh('ls');"),
    node(`class A { go(c) { execSync(c); } }`),
    node(`${NODE}const [c] = words; execSync(c);`),
    node('function sh({ c }) { return execSync(c); }\nsh(words);'),
  ])('may be given anything: %s', (text) => {
    expect(gapsIn(text)).not.toEqual([]);
  });

  test('are given the words of a program, each for itself', () => {
    expect(runs(python("asyncio.create_subprocess_exec('rm', 'a', stdout=PIPE)"))).toContain('rm a');
  });
});
