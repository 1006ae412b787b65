import { describe, expect, test } from 'bun:test';
import { commandLine } from '../../src/tools/report/explanation/describe-reading.ts';
import { does, gapsIn, read, runs } from './reads.ts';

const PYTHON = (code: string) => `python3 -c ${quoted(code)}`;
const NODE = (code: string) => `node -e ${quoted(code)}`;

function quoted(code: string): string {
  return `'${code.replaceAll("'", "'\\''")}'`;
}

describe('readCommand with code of other languages', () => {
  test.each([
    PYTHON('import os; os.system("rm x")'),
    PYTHON('from os import system as s; s("rm x")'),
    PYTHON('import os as o; o.popen("rm x").read()'),
    PYTHON('import subprocess; subprocess.run(["rm", "x"], check=True)'),
    PYTHON('import subprocess as sp; sp.check_output("rm x", shell=True)'),
    PYTHON('from subprocess import run; run(["rm", "x"])'),
    PYTHON('__import__("os").system("rm x")'),
    PYTHON('import os; getattr(os, "sys" + "tem")("rm x")'),
    PYTHON('import os; c = "rm"; c += " x"; os.system(c)'),
    PYTHON('import os; os.execvp("rm", ["rm", "x"])'),
    PYTHON('import os; os.system(" ".join(["rm", "x"]))'),
    PYTHON('exec("import os; os.system(\'rm x\')")'),
    "python3.12 - <<'E'\nimport os\nos.system('rm x')\nE",
    "cat > s.py <<'E'\nimport os\nos.system('rm x')\nE\npython s.py",
    NODE('require("child_process").execSync("rm x")'),
    NODE('const { exec } = require("child_process"); exec("rm x")'),
    NODE('const { execSync: run } = require("child_process"); run("rm x")'),
    NODE('import cp from "node:child_process"; cp.spawn("rm", ["x"])'),
    NODE('const cp = require("child_process"); cp["exec"]("rm x")'),
    NODE('const c = `rm x`; require("child_process").execSync(c)'),
    NODE("eval(\"require('child_process').execSync('rm x')\")"),
    "uv run - <<'E'\nimport os; os.system('rm x')\nE",
    "uv run --with rich - <<'E'\nimport os; os.system('rm x')\nE",
    "cat > a.py <<'E'\nimport os\nos.system('rm x')\nE\nuv run -q a.py b",
    "cat > a.py <<'E'\nimport os\nos.system('rm x')\nE\ncoverage run a.py",
    "cat > a.js <<'E'\nrequire('child_process').execSync('rm x')\nE\nnodemon a.js",
    "cat > a <<'E'\n#!/usr/bin/env python3\nimport os\nos.system('rm x')\nE\nchmod +x a; ./a",
    "cat > a <<'E'\n#!/usr/bin/env -S uv run --script\nimport os\nos.system('rm x')\nE\n./a",
    "cat > a <<'E'\n#! /usr/bin/python3 -u\nimport sys, os\nos.system(sys.argv[1])\nE\n./a 'rm x'",
    "sed '1e date\n2e rm x' f",
    "sed -e p -e '/a/ \te  rm x' f",
    PYTHON('import os; d = "x"; os.system(f"rm {d}")'),
    PYTHON('import os; os.spawnvp(os.P_WAIT, "rm", ["rm", "x"])'),
    PYTHON('import os; os.spawnlp(os.P_WAIT, "rm", "rm", "x")'),
    PYTHON('import subprocess; subprocess.run(["rm", *["x"]])'),
    NODE('const run = require("child_process").execSync; run("rm x")'),
    NODE('const d = "x"; require("child_process").execSync(`rm ${d}`)'),
    NODE('require("child_process").spawnSync("rm", [...["x"]])'),
    PYTHON('import os; f = os.system; f("rm x")'),
  ])('finds the command in %p', (text) => {
    expect(runs(text)).toContain('rm x');
  });

  test.each([
    "sqlite3 a.db 'select * from shell'",
    "psql -c 'select 1'",
    "gdb -ex 'info shell' a",
    "ed f <<< 'p'",
    'emacs --batch --eval \'(message "rm x")\'',
    "tclsh <<< 'puts exec'",
    'julia -e \'print("rm x")\'',
    'awk \'BEGIN { print "rm x" }\'',
    'awk \'BEGIN { print "rm x" | "sort" }\'',
  ])('finds no command where there is none: %p', (text) => {
    expect(runs(text).filter((line) => line.startsWith('rm'))).toEqual([]);
  });

  test.each([
    ["awk '{ print }' list | sh", ['unknown_script']],
    ['awk \'{ print $1 | "sh" }\' list', ['unknown_code']],
    ['awk \'{ print | "sh -s" }\' list', ['unknown_code']],
    ['awk \'{ c = "rm x"; system(c) }\' list', ['unknown_code']],
    ["awk '{ print | c }' list", ['unknown_code']],
    ['awk \'{ print $1 "|" $2 "|" $3 }\' list', []],
    ['awk \'$1 > "a" || $2 == "b" { print }\' list', []],
    ["sed 's/^/rm /' list | sh", ['unknown_script']],
    ["sed 's/.*/rm &/' list | sh", ['unknown_script']],
    ['sed e list', ['unknown_script']],
    ['sed s/a/b/ list.sh | sh', []],
    ['sed -n 1p list.sh | sh', []],
    ['unzip -p a.zip | sh', ['unknown_script']],
  ])('says where a script is put together: %p', (text, gaps) => {
    expect(gapsIn(text)).toEqual(gaps as typeof gaps & []);
  });

  test.each<[string, string]>([
    [PYTHON('import subprocess; subprocess.run(["rm", "a"], cwd="/srv")'), 'deletes /srv/a'],
    [NODE('require("child_process").execSync("rm a", { cwd: "/srv" })'), 'deletes /srv/a'],
    [PYTHON('from pathlib import Path; (Path("a") / "b").unlink()'), 'deletes /work/a/b'],
    [PYTHON('import linecache; linecache.getlines("a")'), 'reads /work/a'],
    [NODE('require("fs").readFileSync(`.${"env"}`)'), 'reads /work/.env'],
    [NODE('require("rimraf").sync("a")'), 'deletes /work/a and everything below'],
    ['php -r \'highlight_file("a");\'', 'reads /work/a'],
    ['lua -e \'io.input("a")\'', 'reads /work/a'],
    ['jq -n --rawfile n a .', 'reads /work/a'],
    [PYTHON('f = open; f("a").read()'), 'reads /work/a'],
    [PYTHON('import glob; open(glob.glob(".e*")[0])'), 'reads /work/.e*'],
    ['deno eval \'await Deno.open("a")\'', 'reads /work/a'],
    ['Rscript -e \'read.csv("a")\'', 'reads /work/a'],
    ["python3 -c 'f()' a", 'is given /work/a'],
    ['python3 -m base64 a', 'is given /work/a'],
  ])('says what %p does', (text, effect) => {
    expect(does(text)).toContain(effect);
  });

  test.each([
    [PYTHON('import os; os.rename("a", "b")'), 'mv a b'],
    [PYTHON('from pathlib import Path; Path("a").rename("b")'), 'mv a b'],
    [NODE('require("fs").renameSync("a", "b")'), 'mv a b'],
    ['perl -e \'rename "a", "b"\'', 'mv a b'],
    [PYTHON('import os; os.rename(f(), "b")'), "mv '‹a computed value›' b"],
  ])('takes what moves a file for mv: %p', (text, line) => {
    expect(runs(text)).toContain(line);
  });

  test.each([
    'python3 -c "rm x"',
    "python3 - <<< 'rm x'",
    'node -e "rm x"',
    'node --eval "sudo rm x"',
    'bun -e "rm x"',
    'deno eval "rm x"',
    'perl -e "rm x"',
    'ruby -e "sudo rm x"',
    'php -r "rm x"',
    'lua -e "rm x"',
    'python3 -c "ls -l && rm x"',
    NODE('eval("rm x")'),
    NODE('const c = "rm x"; eval(c)'),
    NODE('new Function("rm x")()'),
    PYTHON('exec("rm x")'),
    PYTHON('c = "rm"; c += " x"; exec(c)'),
    'ruby -e \'eval "sudo rm x"\'',
  ])('takes what is a command line and no code for one: %p', (text) => {
    expect(runs(text)).toContain('rm x');
  });

  test.each([
    ['ruby -e "rm -rf x"', 'rm -rf x'],
    ["perl -e '/bin/rm -f x'", '/bin/rm -f x'],
    ["perl -e 'unlink ./x'", 'unlink ./x'],
  ])('tells a command line by its flags and paths: %p', (text, line) => {
    expect(runs(text)).toContain(line);
  });

  test.each([
    PYTHON('import os'),
    PYTHON('cat = 1; print(cat - 2)'),
    PYTHON('kill in names'),
    PYTHON('tar is None or exit()'),
    NODE('find instanceof Function'),
    NODE('let rm = 1; rm / 2'),
    NODE('cat `x`'),
    NODE('git push -f; console.log("'),
    "ruby -e 'test x do |y| puts y end'",
    'ruby -e \'open "a"\'',
    'perl -e \'unlink "a"\'',
    "perl -e 'print sort @x'",
    'php -r \'echo "rm x";\'',
  ])('takes code for code: %p', (text) => {
    const [first, ...others] = read(text).commands;
    expect(first?.wrapper).toBe(false);
    expect(others.map(commandLine)).toEqual([]);
    expect(gapsIn(text)).toEqual([]);
  });

  test.each([
    [PYTHON('import shutil; shutil.rmtree("d")'), 'deletes /work/d and everything below'],
    [PYTHON('import os; os.remove("f")'), 'deletes /work/f'],
    [PYTHON('from pathlib import Path; Path("a", "b").unlink()'), 'deletes /work/a/b'],
    [
      PYTHON('from pathlib import Path; p = Path.home() / ".ssh" / "id"; p.read_text()'),
      'reads /home/me/.ssh/id',
    ],
    [PYTHON('print(open(".env").read())'), 'reads /work/.env'],
    [PYTHON('open("f", "w").write("x")'), 'writes /work/f'],
    [PYTHON('with open("f", mode="a") as f: f.write("x")'), 'appends to /work/f'],
    [PYTHON('import os; open(os.path.expanduser("~/.netrc"))'), 'reads /home/me/.netrc'],
    [PYTHON('import os; open(os.path.join("/etc", "shadow"))'), 'reads /etc/shadow'],
    [
      PYTHON('import requests; requests.post("http://x.example", data=1)'),
      'sends to http://x.example (http)',
    ],
    [
      PYTHON('from urllib.request import urlopen; urlopen("http://x.example")'),
      'fetches http://x.example (http)',
    ],
    [PYTHON('import socket; socket.socket().connect(("x.example", 80))'), 'connects to x.example:80 (http)'],
    [NODE('fs.rmSync("d", { recursive: true })'), 'deletes /work/d and everything below'],
    [NODE('require("fs").unlinkSync("f")'), 'deletes /work/f'],
    [NODE('fs.readFileSync(".env", "utf8")'), 'reads /work/.env'],
    [NODE('fs.promises.writeFile("f", "x")'), 'writes /work/f'],
    [NODE('fetch("http://x.example")'), 'fetches http://x.example (http)'],
    [NODE('require("https").get("https://x.example")'), 'fetches https://x.example (https)'],
    [NODE('require("./secrets.json")'), 'reads /work/secrets.json'],
    ['bun -e \'Bun.file(".env").text()\'', 'reads /work/.env'],
    ['perl -e \'unlink glob("*.o")\'', 'deletes /work/*.o'],
    ['perl -e \'unlink glob "*.o"\'', 'deletes /work/*.o'],
    [PYTHON('for f in glob.glob("/srv/*"): os.remove(f)'), 'deletes /srv/*'],
    [PYTHON('[os.remove(f) for f in glob.iglob("/srv/*")]'), 'deletes /srv/*'],
    [PYTHON('[p.unlink() for p in Path("/srv").glob("*.csv")]'), 'deletes /srv/*.csv'],
    [NODE('for (const f of fs.globSync("/srv/*")) fs.unlinkSync(f)'), 'deletes /srv/*'],
    ['ruby -e \'File.delete(*Dir.glob("/srv/*"))\'', 'deletes /srv/*'],
    ['php -r \'foreach (glob("/srv/*") as $f) unlink($f);\'', 'deletes /srv/*'],
    ['perl -e \'unlink "f"\'', 'deletes /work/f'],
    ['perl -e \'open(my $f, "<", ".env")\'', 'reads /work/.env'],
    ["perl -pi -e 's/a/b/' f", 'writes /work/f'],
    ['ruby -e \'FileUtils.rm_rf "d"\'', 'deletes /work/d and everything below'],
    ['ruby -e \'puts File.read(".env")\'', 'reads /work/.env'],
    ['php -r \'echo file_get_contents(".env");\'', 'reads /work/.env'],
    ['php -r \'file_get_contents("http://x.example");\'', 'fetches http://x.example (http)'],
    ['awk \'BEGIN { while ((getline l < ".env") > 0) print l }\'', 'reads /work/.env'],
    ['awk \'{ print > "out" }\' f', 'writes /work/out'],
    ['python3 -m http.server 8080', 'listens on 8080 (http)'],
    ['python3 script.py', 'runs the file /work/script.py'],
    ['node -r ./x script.js', 'runs the file /work/script.js'],
  ])('says that %p %s', (text, effect) => {
    expect(does(text)).toContain(effect);
  });

  test.each([
    PYTHON('eval(input())'),
    PYTHON('import sys; exec(sys.argv[1])'),
    'python3 -c "$CODE"',
    'echo "$CODE" | node',
    NODE('eval(process.argv[1])'),
  ])('says that the code in %p is not known', (text) => {
    expect(gapsIn(text)).toEqual(['unknown_code']);
  });

  test.each([
    PYTHON('print("os.system(1)")'),
    PYTHON('# os.system("rm x")\nprint(1)'),
    NODE('const m = /exec\\("rm x"\\)/.exec(text)'),
    NODE('// execSync("rm x")\nconsole.log(1)'),
    NODE('"a".replace("b", "c")'),
    'ruby -e \'puts "system(1)"\'',
    'perl -e \'print "unlink x"\'',
    "awk '{ print $1 }' f",
    "awk '/rm x/ { n++ } END { print n }' f",
    'python3 -m json.tool',
  ])('finds nothing in %p', (text) => {
    expect(gapsIn(text)).toEqual([]);
    expect(runs(text)).toHaveLength(1);
    expect(does(text).filter((effect) => !effect.startsWith('reads'))).toEqual([]);
  });
});
