import { isBlock, isEnd, isSign, nameAt, type Parser, readBetween, takes, tokenAt } from './parser.ts';
import { type GroupNode, groupOf, type Item, type Node, operation, UNKNOWN } from './tree.ts';

/** Reads the items up to an end: between brackets, in a block, or all the code. */
export function readGroup(p: Parser, bracket: string, end: number): GroupNode {
  const endsWithComma = isSign(p, ',', end - 1);
  const items = readBetween(p, end, bracket, () => readItems(p));
  return { type: 'group', bracket, items, endsWithComma };
}

/** Reads the items in the brackets that open here. */
export function readBrackets(p: Parser, end: number): GroupNode {
  const bracket = tokenAt(p)?.text ?? '';
  p.at++;
  const group = readGroup(p, bracket, end);
  p.at++;
  return group;
}

/** The items of a list, or the statements of a block, up to the end of the part that is read. */
export function readItems(p: Parser): readonly Item[] {
  const items: Item[] = [];
  while (tokenAt(p) !== undefined) {
    if (takes(p, ',') || takes(p, ';')) continue;
    const isColon = () => isSign(p, ':') || isSign(p, '::');
    let isSlice = isColon();
    const item = readItem(p, p.readStatement);
    const beside: Item[] = [];
    // In a list the text beside a value may make anything of it; in a block it is the next statement.
    while (/[([]/.test(p.bracket) && tokenAt(p) !== undefined && !isSign(p, ',') && !isSign(p, ';')) {
      isSlice ||= isColon();
      beside.push({ value: p.readStatement(p) });
    }
    const value = beside.length === 0 ? item.value : operation('', item.value, groupOf(beside));
    // `list[:2]`, `list[a + 1:]`
    items.push({ ...item, key: isSlice && p.language === 'python' ? (item.key ?? '') : item.key, value });
  }
  return items;
}

/** Words in front of statements that may not be run, which have a condition behind them. */
export const CONDITIONS = /^(?:if|elif|elsif|elseif|unless|while|until|switch|when|except|with|case)$/;
/** Those without a condition. */
export const BLOCKS = /^(?:else|then|do|try|finally|begin|rescue|ensure)$/;

/** `*list`, `key: value`, `name=value`, or a value alone. */
export function readItem(p: Parser, readValue: (p: Parser) => Node): Item {
  if (takes(p, '*') || takes(p, '**') || takes(p, '...')) return { value: readValue(p), isSpread: true };
  const { type, text } = tokenAt(p) ?? { type: 'sign', text: '' };
  const isWord = type === 'name' && (CONDITIONS.test(text) || BLOCKS.test(text));
  const signs = p.language === 'javascript' ? [':'] : p.language === 'lua' ? ['='] : [':', '=>'];
  if (!isBlock(p) && (p.language === 'python' || p.language === 'r')) signs.push('=');
  if (type === 'sign' || isWord || !signs.some((sign) => isSign(p, sign, p.at + 1)))
    return { value: readValue(p) };
  p.at += 2;
  const value = isEnd(p) || isSign(p, ',') ? UNKNOWN : readValue(p);
  // `words: list[str] = []`
  if (isBlock(p) && p.language === 'python' && value.type === 'assignment')
    return { value: { ...value, target: { type: 'name', name: text } } };
  return { key: text, value };
}

/** The variables of a loop: `a`, `a, (b, c)`, `const { a, b }`. */
export function readLoopTarget(p: Parser): Node {
  const items: Item[] = [];
  while (/^(?:my|our|const|let|var)$/.test(nameAt(p) ?? '')) p.at++;
  do {
    const close = p.partners.get(p.at);
    const name = nameAt(p);
    if (close !== undefined) items.push({ value: readBrackets(p, close) });
    else if (name !== undefined && !/^(?:in|of|as)$/.test(name)) {
      items.push({ value: { type: 'name', name } });
      p.at++;
    } else break;
  } while (takes(p, ','));
  const [only] = items;
  return only !== undefined && items.length === 1 ? only.value : groupOf(items);
}

/** The block or statement behind a header. `indent`: that of the header. */
export function readBody(p: Parser, indent: number): Node {
  // If blocks end with a word, their statements are read behind their start.
  if (p.language !== 'python') return isEnd(p) ? UNKNOWN : p.readStatement(p);
  takes(p, ':');
  const isBlock = tokenAt(p)?.first === true;
  const isInside = ({ first, indent: own = 0 }: { readonly first?: boolean; readonly indent?: number }) =>
    isBlock ? own > indent : first !== true;
  let end = p.at;
  for (let token = tokenAt(p); token !== undefined && isInside(token); token = tokenAt(p, end))
    end = (p.partners.get(end) ?? end) + 1;
  return readGroup(p, '', end);
}
