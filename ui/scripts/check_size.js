// Fails when what the browser loads first is over the budget: index.html, the scripts and styles
// it names, and everything those import statically. Sizes are gzipped, as they travel.
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';

const BUDGET = 200 * 1024;
const root = process.env['MINDVIZ_WEBUI_DIR'] ?? join(import.meta.dirname, '../../mindviz/webui');

const sizes = new Map();
/** @param {string} file */
const visit = (file) => {
  if (sizes.has(file)) return;
  const bytes = readFileSync(file);
  sizes.set(file, gzipSync(bytes, { level: 6 }).length);
  const text = bytes.toString('utf8');
  const references = file.endsWith('.html')
    ? text.matchAll(/(?:src|href)="(\.\/[^"]+)"/g)
    : text.matchAll(/(?:^|[;}\s])(?:import|export)[^;"'()]*["'](\.[^"']+)["']/g);
  for (const [, path = ''] of references) visit(join(dirname(file), path));
};
visit(join(root, 'index.html'));

let total = 0;
for (const [file, size] of sizes) {
  total += size;
  console.log(`${(size / 1024).toFixed(1).padStart(8)} KiB  ${relative(root, file)}`);
}
console.log(
  `${(total / 1024).toFixed(1).padStart(8)} KiB  first load, gzipped (budget ${BUDGET / 1024} KiB)`,
);
if (total > BUDGET) process.exit(1);
