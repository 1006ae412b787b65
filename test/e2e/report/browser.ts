import type { Browser, Page } from 'puppeteer-core';

const CHROMIUM = Bun.which('chromium');

/** Why there is no browser to test with, undefined if there is one: Debian's chromium. */
export function browserMissing(): string | undefined {
  return CHROMIUM === null ? 'chromium is not installed: apt-get install chromium' : undefined;
}

/** A page as a browser without a window shows it. */
export interface ShownPage {
  readonly page: Page;
  /** What the page has asked for beside itself, and what it has complained about or opened. */
  readonly events: readonly string[];
}

/** Starts the browser. What it is shown is a file of ours, so it needs no sandbox, which root cannot have. */
export async function startBrowser(): Promise<Browser> {
  const { launch } = await import('puppeteer-core');
  return launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox', '--disable-gpu'] });
}

/** Shows a file, with the colours of light or dark. */
export async function show(
  browser: Browser,
  path: string,
  scheme: 'light' | 'dark' = 'light',
): Promise<ShownPage> {
  const page = await browser.newPage();
  const events: string[] = [];
  const url = `file://${path}`;
  page.on('request', (request) => {
    if (request.url() !== url) events.push(`request ${request.url()}`);
  });
  page.on('console', (message) => events.push(`console ${message.text()}`));
  page.on('pageerror', (error) => events.push(`error ${String(error)}`));
  page.on('dialog', (dialog) => {
    events.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  await page.setViewport({ width: 1_000, height: 900 });
  await page.goto(url, { waitUntil: 'load' });
  return { page, events };
}

/** How many pixels of a screenshot have each of these colours, as `#rrggbb`. */
export async function pixelsOf(
  browser: Browser,
  png: Uint8Array,
  colors: readonly string[],
): Promise<readonly number[]> {
  const page = await browser.newPage();
  try {
    const source = JSON.stringify(`data:image/png;base64,${Buffer.from(png).toString('base64')}`);
    const counted = await page.evaluate(`(async () => {
      const image = new Image();
      image.src = ${source};
      await image.decode();
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, image.width, image.height);
      const counts = new Map(${JSON.stringify(colors.map(wordOf))}.map((word) => [word, 0]));
      for (const pixel of new Uint32Array(data.buffer)) {
        const count = counts.get(pixel & 0xffffff);
        if (count !== undefined) counts.set(pixel & 0xffffff, count + 1);
      }
      return [...counts.values()];
    })()`);
    return counted as readonly number[];
  } finally {
    await page.close();
  }
}

/** A colour as it lies in the memory of a canvas, without how opaque it is. */
function wordOf(color: string): number {
  return Buffer.from(color.slice(1), 'hex').readUIntLE(0, 3);
}
