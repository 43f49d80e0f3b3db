import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WIDGET_DIGESTS } from '../core/conversation/widget-versions.ts';

/** Keeps the built `widget.js` as the next version that websites may name with its digest (ADR 0060), unless it is the newest one. After `npm run build`. */
const ROOT = join(import.meta.dirname, '..');
const LIST = join(ROOT, 'core', 'conversation', 'widget-versions.ts');
const built = join(ROOT, 'portal', 'dist', 'widget.js');
const digest = `sha384-${createHash('sha384').update(readFileSync(built)).digest('base64')}`;
if (WIDGET_DIGESTS.at(-1) === digest) process.stdout.write('The built script is the newest version.\n');
else {
  const version = WIDGET_DIGESTS.length + 1;
  copyFileSync(built, join(ROOT, 'portal', 'public', 'widget', `${version}.js`));
  const list = [...WIDGET_DIGESTS, digest].map((one) => `  '${one}',\n`).join('');
  writeFileSync(
    LIST,
    readFileSync(LIST, 'utf8').replace(/\[[^\]]*\] as const;/, () => `[\n${list}] as const;`),
  );
  process.stdout.write(`Version ${version} is kept.\n`);
}
