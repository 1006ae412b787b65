import { searchSections } from '../../src/tools/cli/docs/search.ts';

const MAX_RESULTS = 20;
const sections = JSON.parse(document.getElementById('sections').textContent);
const field = document.querySelector('input[name=q]');
const results = document.getElementById('results');

field.value = new URLSearchParams(location.search).get('q') ?? '';
field.addEventListener('input', show);
field.focus();
show();

function show() {
  const found = searchSections(field.value, sections).slice(0, MAX_RESULTS);
  results.replaceChildren(...found.map(resultOf));
  if (found.length === 0 && field.value.trim() !== '') results.append('No page says much about these words.');
}

function resultOf({ file, anchor, title, pageTitle, own }) {
  const link = document.createElement('a');
  link.href = anchor === '' ? file : `${file}#${anchor}`;
  link.textContent = (anchor === '' ? pageTitle : `${pageTitle}: ${title}`).replaceAll('`', '');
  const words = document.createElement('p');
  const text = own
    .slice(1)
    .filter((line) => /^\w/.test(line))
    .join(' ');
  words.textContent = text.replaceAll(/\]\([^)]*\)|[`*[]/g, '').slice(0, 200);
  const result = document.createElement('li');
  result.append(link, words);
  return result;
}
