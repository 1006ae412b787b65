// Runs in the page of `policy report`, behind uPlot, and draws stacked bars over time into the elements that the data names.
// scripts/generate.ts makes a text of both. Names of series come from a log: they only ever become text.
(() => {
  const COLORS = ['#3b6ea5', '#c8553d', '#588157', '#8f5fbf', '#d19a2a', '#2a9d8f', '#8a8f98'];
  const { times, stepS, charts } = JSON.parse(document.getElementById('data').textContent);

  function draw({ id, series }) {
    const place = document.getElementById(id);
    const ink = getComputedStyle(document.documentElement).getPropertyValue('--dim');
    const line = getComputedStyle(document.documentElement).getPropertyValue('--line');
    // What is drawn first is covered by what comes later: so the whole stack comes first.
    const tops = series.map((_, index) =>
      times.map((_, at) => series.slice(index).reduce((sum, each) => sum + each.counts[at], 0)),
    );
    const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
    const chart = new uPlot(
      {
        width: place.clientWidth,
        height: 260,
        // As everywhere else.
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1e3), 'Etc/UTC'),
        scales: {
          x: { range: (_, min, max) => [min - stepS / 2, max + stepS / 2] },
          y: { range: (_, __, max) => [0, Math.max(1, max * 1.05)] },
        },
        axes: [
          axis,
          {
            ...axis,
            size: 60,
            incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 1e6],
          },
        ],
        series: [
          {},
          ...series.map(({ name, counts }, index) => ({
            label: name,
            fill: COLORS[index % COLORS.length],
            width: 0,
            points: { show: false },
            paths: uPlot.paths.bars({ size: [0.85, 40] }),
            value: (_, __, ___, at) => (at === null ? '' : String(counts[at])),
          })),
        ],
      },
      [times, ...tops],
      place,
    );
    addEventListener('resize', () => chart.setSize({ width: place.clientWidth, height: 260 }));
  }

  charts.forEach(draw);
})();
