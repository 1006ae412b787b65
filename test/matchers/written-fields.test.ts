import { describe, expect, test } from 'bun:test';
import type { Json, JsonObject } from '../../src/lib/json.ts';
import { withinProcessorTime } from '../support/processor-time.ts';
import { ask, factsOf, shell } from './support.ts';

/** Do fields fit that are written into a file? */
function fields(spec: Json, call: string | JsonObject, match = 'a.{md,json,yaml,toml}'): unknown {
  const facts =
    typeof call === 'string'
      ? shell(call)
      : factsOf({ on: 'before_tool', tool: 'old_text' in call ? 'edit' : 'write', arguments: call });
  return ask('path', { match, fields: spec }, facts);
}

function edit(path: string, new_text: string): JsonObject {
  return { path, old_text: 'x', new_text };
}

describe('path: fields', () => {
  test.each<[path: string, content: string, is: boolean]>([
    ['a.json', '{"k": 1}', true],
    ['a.json', '{"a": {"k" : 1}}', true],
    ['a.json', '{"\\u006b": 1}', true],
    ['a.json', '{"k"/* x */: 1}', true],
    ['a.json', '{"u": "https://x", "k" // x\n: 1}', true],
    ['a.json', '{"u": "**/*.x", "k": 1, "v": "*/"}', true],
    ['a.json', '{"a": "k", "kk": 1, "b": ["k"]}', false],
    ['a.yaml', 'a: 1\nk: 2', true],
    ['a.yaml', '{a: 1, k: 2}', true],
    ['a.yaml', "'k': 2", true],
    ['a.yaml', '"\\x6b": 2', true],
    ['a.yaml', '? k\n: 2', true],
    ['a.yaml', '!!str k: 2', true],
    ['a.yaml', 'a: k\n# about k: x\nkk: 1\nx-k: 1', false],
    ['a.toml', 'k = 1', true],
    ['a.toml', '[k.b]', true],
    ['a.toml', '[[a.k]]', true],
    ['a.toml', 'k.b = 1', true],
    ['a.toml', 'a = { k = 1 }', true],
    ['a.toml', 'a = "k"', false],
    ['a.md', '---\nk: 1\n---\n', true],
    ['a.md', '\uFEFF\n--- \r\na: 1\r\nk : 1\r\n---\r\n', true],
    ['a.md', '---\na: 1\nk: 1', true],
    ['a.md', '---\ra: 1\rk: 1\r---\r', true],
    ['a.md', '--- # a\nk: 1\n---\n', true],
    ['a.md', '---\na: 1\n--- b\nk: 1\n---\n', true],
    ['a.md', '---\na: 1\n<<: {b: 1, k: 1}\n---\n', true],
    ['a.md', '---\n{"a": 1, "\\\n  k": 1}\n---\n', true],
    ['a.md', '----\nk: 1\n---\n', false],
    ['a.md', '---\n{a: 1, k: 1}\n---', true],
    ['a.md', '---\na: 1\n---\nk: 1', false],
    ['a.md', '---\na: "b, k: c"\n---\n', false],
    ['a.md', '# A\n---\nk: 1\n---', false],
  ])('reads %s: %j', (path, content, is) => {
    expect(fields('k', { path, content })).toBe(is);
  });

  test.each<[spec: Json, call: string | JsonObject, truth: boolean]>([
    [['j', 'k'], edit('a.json', '"k": 1'), true],
    [['j', 'k'], edit('a.json', '"l": 1'), false],
    ['k', edit('a.md', 'a: 1\nk: 1'), true],
    ['k', edit('a.md', 'what k: means'), false],
    ['k', "echo 'k: 1' > a.md", false],
    ['k', "echo 'k: 1' >> a.md", true],
    ['k', "printf -- '---\\nk: 1\\n' | tee a.md", true],
    ['k', "sed -i '2i k: 1' a.md", true],
    ['k', "sed -i 's/^a/k: 1\\na/' a.md", true],
    ['k', 'sed -i s/k/l/ a.md', false],
    ['k', "yq -i '.k.b = 1' a.yaml", true],
    ['k', 'yq -i \'.a = "k"\' a.yaml', false],
    ['k', "python3 - <<'E'\nopen('a.md', 'w').write('---\\nk: 1\\n---')\nE", true],
    ['k', "python3 - <<'E'\np = Path('a.md')\np.write_text(p.read_text().replace('a', 'a\\nk: 1'))\nE", true],
    ['k', edit('a.md', 'see `k: 1` and (k: 2)'), false],
    ['k', "tee a.md <<'E'\n---\na: 1\n---\nk: 1\nE", false],
    ['k', "patch <<'E'\n--- a.toml\n+++ a.toml\n@@ -1 +1 @@\n-[a]\n+[k.a]\nE", true],
    ['k', 'cp k.md a.md', false],
    ['k', 'cp b a.json', false],
    [{ any: 'k', unseen: true }, 'cp b a.json', true],
    [{ any: 'k', unseen: true }, 'echo {} > b; cp b a.json', false],
    [{ any: 'k', unseen: true, from: '*.json' }, 'cp b.json a.json', false],
    [{ any: 'k', unseen: true, from: { match: '*.json' } }, 'cat b.json c > a.json', true],
    [{ any: 'k', unseen: true }, './b.sh > a.json', true],
    [{ any: 'k', unseen: true }, "echo '{}' > a.json; touch a.json; chmod 600 a.json", false],
    [{ any: 'k', unseen: true }, 'sed -i s/a/b/ a.json', true],
    [{ any: 'k', unseen: true }, 'sed -i -es,a,b, a.json', true],
    [{ any: 'k', unseen: true }, 'prettier --write ./a.json', false],
    [{ any: 'k', unseen: true }, edit('a.json', '"b"'), true],
    [{ any: 'k', unseen: true }, edit('a.json', '"a": "b"'), false],
    [{ any: 'k', unseen: true }, edit('a.json', ' '), false],
    [{ any: 'k', unseen: true }, edit('a.json', '"b"], "c": 1'), true],
    [{ any: 'k', unseen: true }, edit('a.json', 'b://c'), true],
    [{ any: 'k', unseen: true }, edit('a.json', '}, "c": {"d": 1}'), false],
    [{ any: 'k', unseen: true }, edit('a.yaml', '- b: 1'), false],
    [{ any: 'k', unseen: true }, edit('a.yaml', 'b'), true],
    [{ any: 'k', unseen: true }, { path: 'a.json', content: '[]' }, false],
    ['k', 'cat a.json; rm a.json', false],
  ])('%j of %j is %p', (spec, call, truth) => {
    expect(fields(spec, call)).toBe(truth);
  });

  test('takes what a tool appends for a part', () => {
    const facts = (tool: string) =>
      factsOf({
        on: 'before_tool',
        tool,
        arguments: { path: 'a.md', content: 'k: 1' },
        context: { host: 'picoclaw' },
      });
    expect(ask('path', { match: 'a.md', fields: 'k' }, facts('append_file'))).toBe(true);
    expect(ask('path', { match: 'a.md', fields: 'k' }, facts('write_file'))).toBe(false);
  });

  test.each<[patch: string, is: boolean]>([
    ['*** Add File: a.md\n+---\n+k: 1\n+---\n', true],
    ['*** Add File: a.md\n+---\n+a: 1\n+---\n+k: 1\n', false],
    ['*** Add File: b.md\n+k: 1\n*** Add File: a.md\n+a\n', false],
    ['*** Add File: b.md\n+---\n+---\n*** Add File: a.md\n+---\n+k: 1\n+---\n', true],
    ['*** Add File: a.toml\n+[k.a]\n', true],
    ['*** Update File: a.md\n@@\n a: 1\n+k: 1\n', true],
    ['*** Update File: a.md\n@@\n k: 1\n-k: 2\n+a: 1\n', false],
    ['*** Update File: b.md\n@@\n+---\n+---\n*** Update File: a.md\n@@\n+k: 1\n', true],
    ['*** a.md\n--- a.md\n***************\n*** 1,2 ****\n  ---\n! a: 1\n--- 1,2 ----\n  ---\n! k: 1\n', true],
    ['--- a/a.md\n+++ b/a.md\n@@ -1,2 +1,2 @@\n k: 1\n-b: 1\n+a: 1\n', false],
  ])('reads the patch %j', (patch, is) => {
    const facts = factsOf({ on: 'before_tool', tool: 'apply_patch', arguments: { patch } });
    expect(ask('path', { match: 'a.*', fields: 'k' }, facts)).toBe(is);
  });

  test.each(['content', 'data'])('reads what a server is given as values in %s', (name) => {
    const asked = (value: JsonObject) =>
      ask(
        'path',
        { match: 'a.json', fields: 'k' },
        factsOf({
          on: 'before_tool',
          tool: 'mcp__files__write_json',
          arguments: { path: 'a.json', [name]: value },
        }),
      );
    expect(asked({ a: { k: 'b' } })).not.toBe(false);
    expect(asked({ a: { b: 'k' } })).toBe(false);
  });

  test('reads what an edit is given as a diff', () => {
    const diff = '------- SEARCH\na: 1\n=======\na: 1\nk: 1\n+++++++ REPLACE';
    const facts = factsOf({
      on: 'before_tool',
      tool: 'replace_in_file',
      arguments: { path: 'a.md', diff },
      context: { host: 'cline' },
    });
    expect(ask('path', { match: 'a.md', fields: 'k' }, facts)).toBe(true);
  });

  test('says nothing of other files', () => {
    expect(fields('k', { path: 'b.json', content: '{"k": 1}' })).toBe(false);
  });

  test.each<[of: string, path: string, text: string]>([
    ['blank lines', 'a.yaml', '\n \n'],
    ['braces', 'a.yaml', '{&'],
    ['commas', 'a.md', '{,'],
    ['names', 'a.toml', 'k.'],
    ['brackets', 'a.toml', '[k'],
    ['comments that nothing closes', 'a.json', '"k"/*'],
    ['quotes', 'a.json', '"\\'],
    ['escaped quotes', 'a.json', '\\"'],
    ['front matter', 'a.md', '---\n'],
    ['front matter that nothing ends', 'a.md', '--- a\n'],
    ['spaces', 'a.md', ' '],
  ])('takes linear time for %s', (_, path, text) => {
    const content = path === 'a.md' ? `---\n${text.repeat(200_000)}` : text.repeat(200_000);
    withinProcessorTime(4000, () => fields('k', { path, content }));
    withinProcessorTime(4000, () => fields('k', edit(path, content)));
  });
});
