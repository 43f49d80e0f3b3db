import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { PRODUCT_NAME } from '@partner-portal/contract/product.ts';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';

/** Rules that stand in one place: what no other file may decide again. */

const ROOT = join(import.meta.dirname, '..');
const sources = (pattern: string): string[] => globSync(pattern, { cwd: ROOT }).filter((file) => !/\.test\.tsx?$|node_modules/.test(file));
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

it('in core, and in the portal that shows it, only the access of routes refuses a role', () => {
  const files = sources('{core,portal}/**/*.{ts,tsx}');
  const refusing = files.filter((file) => /['"](?:role_forbidden|partner_role_forbidden|view_as_read_only)['"]/.test(read(file)));
  assert.deepEqual(refusing.toSorted(), [
    'core/access/access.ts',
    // What the portal says about these refusals, and a login of a client at the address of a team.
    'portal/app/current-user.ts',
    'portal/features/session/login-form.tsx',
  ]);
  const naming = files.filter((file) => /\brole === '(?:ADMIN|CLIENT|PARTNER)'/.test(read(file)) && /_forbidden/.test(read(file)));
  assert.deepEqual(naming, ['core/access/access.ts']);
});

it('the first answer to an Idempotency-Key is kept by `once`, but for an import, whose row holds its result', () => {
  const users = sources('service/modules/**/*.ts').filter((file) => /\brefuseOtherBody\b/.test(read(file)));
  assert.deepEqual(users.toSorted(), [
    'service/modules/1-ledger/first-answers/once.ts',
    'service/modules/2-tenancy/clients/import/import-clients.ts',
  ]);
});

it('the states in which an attempt holds a setup are HELD_STATUSES of core, also in SQL and in the portal', () => {
  const files = sources('{core,portal/features,service/modules,service/schema}/**/*.{ts,tsx,sql}').filter(
    (file) => !/\/schema\/(?:tables|upgrades)\//.test(file),
  );
  const naming = files.filter((file) => /'provisioning'(?:, | \|\| .*)'deprovisioning'/.test(read(file)));
  // The claims of runs are compared in sql-values.test.ts.
  assert.deepEqual(naming.toSorted(), [
    'core/provisioning/instance.ts',
    'service/schema/functions/executions/claim_dispatches.sql',
    'service/schema/functions/executions/claim_expired_dispatches.sql',
  ]);
});

it('the pages of a role are those of the contract', () => {
  const files = sources('{contract,core,portal/app,portal/features,portal/landing,service/modules}/**/*.{ts,tsx}');
  assert.deepEqual(
    files.filter((file) => /\bADMIN: .*'\/admin/.test(read(file))),
    ['contract/account-pages.ts', 'contract/pages.ts'],
  );
});

it('the HTTP status of a refusal is that of its code in contract/errors.ts: SQL returns codes', () => {
  const files = sources('service/schema/functions/**/*.sql');
  assert.ok(files.length > 80, `${files.length} files`);
  const STATUS = /\b(?:then|else) [45]\d\d\b/;
  assert.match("case f.result when 'account_suspended' then 403 end", STATUS);
  assert.deepEqual(
    files.filter((file) => STATUS.test(read(file))),
    [],
  );
});

it('what an invoice owes, and whether it is overdue, is decided by schema/invoice-columns.ts, which statements include', () => {
  const files = sources('service/{modules,schema,platform,wiring}/**/*.ts').filter((file) => !file.endsWith('.gen.ts'));
  const OWES = /status = 'issued' and (?:\w+\.)?kind = 'invoice'|\bdue_at <=? \$/;
  assert.match("i.status = 'issued' and i.kind = 'invoice' and i.due_at <= $1", OWES);
  const deciding = files.filter((file) => /\binvoice i\b/.test(read(file)) && OWES.test(read(file)));
  assert.deepEqual(deciding.toSorted(), [
    // When the payment clock acts on an invoice that is due.
    'service/modules/2-tenancy/billing/periods/store-collection.ts',
    'service/schema/invoice-columns.ts',
  ]);
});

it('the pages to which mails, notices and first steps lead are pages of the portal', () => {
  const shapeOf = (path: string): string => path.replaceAll(/\$(?:\{[^}]*\}|\w+)/g, '$').replace(/\/$/, '');
  const pages = new Set([...read('portal/route-tree.gen.ts').matchAll(/fullPath: '([^']+)'/g)].map(([, path = '']) => shapeOf(path)));
  const LINK = /['"`](\/(?:admin|dashboard|client)\/(?:\$\{[^}]*\}|[\w/-])+)/g;
  const links = sources('{contract,core,service/modules}/**/*.ts').flatMap((file) =>
    [...read(file).matchAll(LINK)].map(([, path = '']) => ({ file, path, isPage: pages.has(shapeOf(path)) })),
  );
  assert.ok(links.length > 50, `${links.length} links`);
  assert.deepEqual(
    links.filter(({ isPage }) => !isPage),
    [],
  );
});

it('the form of an e-mail address in steps of agents, which import nothing, is that of core', () => {
  const formIn = (file: string): string | undefined => /isEmail\b[^]*?(\/\^.*?\$\/)/.exec(read(file))?.[1];
  assert.ok(formIn('core/template/value-forms.ts'));
  assert.equal(formIn('catalog/parts/text.js'), formIn('core/template/value-forms.ts'));
});

it('the colour of an agency that chose none is DEFAULT_COLOUR of core', () => {
  const { 1: colour = 'none' } = /DEFAULT_COLOUR = '(#\w+)'/.exec(read('core/tenancy/brand.ts')) ?? [];
  assert.match(colour, /^#/);
  const naming = sources('{contract,core,portal,service}/**/*.{ts,tsx,sql}').filter((file) => read(file).includes(colour));
  assert.deepEqual(naming, ['core/tenancy/brand.ts']);
});

it('the name of the product is PRODUCT_NAME of the contract, also where a file can import nothing', () => {
  const NAME = new RegExp(`Partner [Pp]ortal|['"\`>]${PRODUCT_NAME}['"\`<]|· ${PRODUCT_NAME}\\b`);
  for (const text of [`owner = '${PRODUCT_NAME}'`, `<b>${PRODUCT_NAME}</b>`, `'Apply · ${PRODUCT_NAME}'`, "'Partner Portal'"])
    assert.match(text, NAME);
  assert.deepEqual(
    sources('{contract,core,messages,portal,service}/**/*.{ts,tsx,html}')
      .filter((file) => !/\/dist\//.test(file) && NAME.test(read(file)))
      .toSorted(),
    ['contract/product.ts', 'portal/index.html'],
  );
  assert.match(read('portal/index.html'), new RegExp(`<title>${PRODUCT_NAME}</title>`));
  assert.match(read('Dockerfile'), new RegExp(`image\\.title="${PRODUCT_NAME}"`));
});

it('the mark of the product in the tab of a browser is the one of its pages', () => {
  const pathsIn = (text: string): string[] => [...text.matchAll(/ d="([^"]+)"/g)].map(([, path = '']) => path);
  const [mark = ''] = /function PortalMark\b[^]*?\n\}/.exec(read('portal/ui/identity/marks.tsx')) ?? [];
  assert.equal(pathsIn(mark).length, 2);
  assert.deepEqual(pathsIn(read('portal/public/portal-mark.svg')), pathsIn(mark));
});

it('the portal draws the icon that each template of the catalog names', () => {
  const drawn = [...read('portal/ui/identity/icons.tsx').matchAll(/^ {2}'?([\w-]+)'?: </gm)].map(([, name]) => name);
  const named = sources('catalog/*/template.json').map((file) => /"icon": "([^"]+)"/.exec(read(file))?.[1]);
  assert.ok(named.length > 10);
  assert.deepEqual(
    named.filter((name) => !drawn.includes(name)),
    [],
  );
});

it('how old the signature of a webhook may be is the same in examples, in the page that checks one, and in the sandbox', () => {
  const files = sources('{portal,sandbox,service}/**/*.{ts,tsx}').filter((file) => !file.includes('/dist/'));
  const copies = files.flatMap((file) => /\bTOLERANCE_SECONDS = (\d+)/.exec(read(file))?.[1] ?? []);
  assert.equal(copies.length, 3);
  assert.equal(new Set(copies).size, 1);
});

it('the portal asks for no longer pages of a list than the API gives', () => {
  const asked = sources('portal/{app,features,queries,shared}/**/*.{ts,tsx}').flatMap((file) =>
    [...read(file).matchAll(/\blimit: (\d+)\b/g)].map(([, limit]) => ({ file, limit: Number(limit) })),
  );
  assert.ok(asked.length > 20);
  assert.deepEqual(
    asked.filter(({ limit }) => limit > LIMITS.pageMax),
    [],
  );
});
