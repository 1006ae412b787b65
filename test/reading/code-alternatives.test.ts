import { describe, expect, test } from 'bun:test';
import { does, gapsIn } from './reads.ts';

const texts = (count: number) => Array.from({ length: count }, (_, index) => `"a${index}"`).join(', ');

const python = (code: string) => `python3 - <<'END'\n${code}\nEND`;
const node = (code: string) => `node -e '${code}'`;
const perl = (code: string) => `perl -e '${code}'`;
const ruby = (code: string) => `ruby -e '${code}'`;

/** The paths that are deleted; `…` where one of them is not known. */
function deleted(script: string): readonly string[] {
  return does(script).flatMap(
    (effect) => /^deletes (.*?)(?: and everything below)?$/.exec(effect)?.[1] ?? [],
  );
}

describe('inline code in which a value is one of several', () => {
  test.each([
    [python('shutil.rmtree("a" if x else "/b")'), '/b'],
    [python('p = "a" if f(x) else "/b"\nshutil.rmtree(p)'), '/b'],
    [python('shutil.rmtree("" or "/b")'), '/b'],
    [node('const p = x ? "a" : "/b"; fs.rmSync(p)'), '/b'],
    [node('const p = x.y ?? "/b"; fs.rmSync(p)'), '/b'],
    [node('const p = x || "/b"; fs.rmSync(p)'), '/b'],
    [node('const p = "/b" || x; fs.rmSync(p)'), '/b'],
    [perl('my $p = shift || "/b"; unlink($p)'), '/b'],
    [ruby('p = x ? "a" : "/b"; File.delete(p)'), '/b'],
    [`php -r '$p = $x ?: "/b"; unlink($p);'`, '/b'],
    ['lua -e \'os.remove(x or "/b")\'', '/b'],
    [node('["a"].concat(["/b"]).forEach(d => fs.rmSync(d))'), '/b'],
    [python('os.system("x" * 2 + "; rm /b")'), '/b'],
    [python(`os.system("rm a" ${'+ " a"'.repeat(70)} + " /b")`), '/b'],
    [perl(`unlink ${texts(40)}, "/b"`), '/b'],
    [ruby(`File.delete ${texts(40)}, "/b"`), '/b'],
  ])('%s deletes %s', (script, path) => {
    expect(deleted(script)).toContain(path);
  });

  test('takes a comprehension for what it goes through', () => {
    expect(deleted(python('[os.remove(p) for p in ["/a", "/b"] if p]'))).toEqual(['/a', '/b']);
    expect(deleted(python('p = "/a"\nif x: y()\nelse: z()\nos.remove(p)'))).toEqual(['/a']);
  });

  test.each([
    node('fs.rmSync("/b/a/a".replace("/a", ""))'),
    python(`for p in [${texts(70)}, "/b"]: os.remove(p)`),
    python('os.remove("/tmp/x"[:1])'),
    python('os.remove("/xx".rstrip("x"))'),
    node(`for (const p of [${texts(70)}, "/b"]) fs.unlinkSync(p)`),
    node('fs.unlinkSync("/tmp/x".slice(0, 1))'),
    perl('$p = "/tmp/x"; $p .= "/../b"; unlink $p'),
    ruby('p = "/tmp/x"; p << "/../b"; File.delete(p)'),
  ])('%s leaves open what it deletes', (script) => {
    const isOpen = deleted(script).some((path) => path.includes('a computed value'));
    expect(isOpen || gapsIn(script).length > 0).toBe(true);
  });
});
