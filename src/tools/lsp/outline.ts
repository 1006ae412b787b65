import { type DocumentSymbol, SymbolKind } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { parseYaml } from '../../language/policy/yaml/yaml.ts';
import { isJsonObject, ownString } from '../../lib/json.ts';
import { rangeOf } from './protocol.ts';
import type { OpenFile } from './workspace.ts';

/** Lists whose items have names, with the key of the name. */
const NAMED: Readonly<Record<string, string>> = {
  policies: 'id',
  tools: 'name',
  exceptions: 'policy',
  cases: 'name',
};

/** The policies, tools, exceptions and cases of a file, in its order. A file that is broken on the way has those that can be read. */
export function outlineOf({ text, path }: OpenFile, document: TextDocument): readonly DocumentSymbol[] {
  const { document: sound, meant } = parseYaml(text, path);
  const yaml = sound ?? meant;
  if (yaml === undefined || !isJsonObject(yaml.value)) return [];
  const end = document.positionAt(text.length);
  const found = Object.entries(yaml.value).flatMap(([key, items]) => {
    const name = Object.hasOwn(NAMED, key) ? (NAMED[key] ?? '') : '';
    if (name === '' || !Array.isArray(items)) return [];
    return items.flatMap((item, index): DocumentSymbol[] => {
      const label = isJsonObject(item) ? ownString(item, name) : undefined;
      if (!isJsonObject(item) || label === undefined || label.trim() === '') return [];
      const selectionRange = rangeOf(yaml.positionOf([key, index, name], 'value'));
      const { start } = rangeOf(yaml.positionOf([key, index], 'value'));
      const detail = ownString(item, 'action') ?? ownString(item, 'type');
      return [
        {
          name: label,
          ...(detail === undefined ? {} : { detail }),
          kind: key === 'cases' ? SymbolKind.Method : SymbolKind.Function,
          range: { start: before(start, selectionRange.start), end },
          selectionRange,
        },
      ];
    });
  });
  const sorted = found.sort((a, b) => (before(a.range.start, b.range.start) === a.range.start ? -1 : 1));
  // Each ends where the next one begins.
  return sorted.map((symbol, index) => {
    const next = sorted[index + 1]?.range.start ?? end;
    const last = before(symbol.selectionRange.end, next) === next ? symbol.selectionRange.end : next;
    return { ...symbol, range: { start: symbol.range.start, end: last } };
  });
}

interface Place {
  readonly line: number;
  readonly character: number;
}

function before(a: Place, b: Place): Place {
  return a.line < b.line || (a.line === b.line && a.character < b.character) ? a : b;
}
