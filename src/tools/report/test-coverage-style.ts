/** The look of the coverage page, in the reader's light or dark. */
export const COVERAGE_STYLE = `
:root { color-scheme: light dark; --ink: #1c2024; --dim: #60646c; --page: #fff; --line: #e4e6ea; --hit: #e6f4ea; --hit-ink: #18603a; --miss: #fdecec; --miss-ink: #a1261f; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --dim: #9ba1a9; --page: #14171a; --line: #2b3036; --hit: #11301f; --hit-ink: #86d9a8; --miss: #3a1716; --miss-ink: #f2a49e; } }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.5rem; margin: 0 0 .5rem; }
h2 { font-size: 1.05rem; margin: 2.5rem 0 .5rem; font-family: ui-monospace, monospace; }
p { margin: .25rem 0; color: var(--dim); max-width: 60rem; }
a { color: inherit; }
table { border-collapse: collapse; width: 100%; }
.files { margin-top: 1rem; }
.files th { text-align: left; color: var(--dim); font-weight: 500; }
.files th, .files td { padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); font-variant-numeric: tabular-nums; }
.whole { color: var(--hit-ink); }
.part { color: var(--miss-ink); }
.source { font: 13px/1.55 ui-monospace, monospace; border: 1px solid var(--line); }
.source td { padding: 0 .6rem; vertical-align: top; }
.hits { width: 4rem; text-align: right; color: var(--dim); border-right: 4px solid transparent; font-variant-numeric: tabular-nums; }
.number { width: 3rem; text-align: right; color: var(--dim); user-select: none; }
.text code { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }
.hit .hits { color: var(--hit-ink); background: var(--hit); }
.missed { background: var(--miss); }
.missed .hits { color: var(--miss-ink); border-right-color: var(--miss-ink); }
.note { display: block; color: var(--miss-ink); }
`;
