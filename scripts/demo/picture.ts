type Color = keyof typeof COLORS;

/** A line of a terminal: pieces of text in a colour each. */
export type Line = readonly (readonly [text: string, color?: Color])[];

const COLORS = {
  plain: '#d0d7de',
  dim: '#8b949e',
  green: '#56d364',
  red: '#ff7b72',
  blue: '#79c0ff',
} as const;
const WIDTH_CHARS = 92;
const CHAR_PX = 8;
const LINE_PX = 20;
const MARGIN_PX = 20;
const BAR_PX = 34;

/** An SVG of a terminal window. Long lines go on below, below the text of the first. */
export function picture(title: string, lines: readonly Line[]): string {
  const rows = lines.flatMap(wrapped);
  const width = WIDTH_CHARS * CHAR_PX + 2 * MARGIN_PX;
  const height = BAR_PX + rows.length * LINE_PX + 2 * MARGIN_PX;
  const dots = ['#ff5f57', '#febc2e', '#28c840'].map(
    (fill, index) => `<circle cx="${20 + index * 20}" cy="17" r="6" fill="${fill}"/>`,
  );
  const texts = rows.map((row, index) => {
    const y = BAR_PX + MARGIN_PX + index * LINE_PX + 4;
    const pieces = row.map(
      ([text, color = 'plain']) => `<tspan fill="${COLORS[color]}">${escaped(text)}</tspan>`,
    );
    return `<text x="${MARGIN_PX}" y="${y}" xml:space="preserve">${pieces.join('')}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>`,
    ...dots,
    ...texts,
    '</svg>',
    '',
  ].join('\n');
}

function wrapped([first, ...rest]: Line): readonly Line[] {
  const [mark = '', markColor = 'plain'] = first ?? [];
  const rows: [text: string, color: Color][][] = [[[mark, markColor]]];
  let used = mark.length;
  for (const [text, color = 'plain'] of rest) {
    for (const word of text.split(/(?<= )/)) {
      if (used + word.trimEnd().length > WIDTH_CHARS) {
        rows.push([[' '.repeat(mark.length), 'plain']]);
        used = mark.length;
      }
      const row = rows.at(-1) ?? [];
      const last = row.length > 1 ? row.at(-1) : undefined;
      if (last?.[1] === color) last[0] += word;
      else row.push([word, color]);
      used += word.length;
    }
  }
  return rows;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
