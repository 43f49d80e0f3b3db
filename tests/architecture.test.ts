import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { withClient } from '@partner-portal/service/platform/db/roles.ts';
import { createTestDatabase, type TestDatabase } from './harness/database.ts';

/**
 * The rules of ARCHITECTURE.md, executable. The lint rules are proved by planted violations, because a boundary check that
 * sees nothing always passes; the database rules by the catalog of the migrated database.
 */
const ROOT = join(import.meta.dirname, '..');

const LAYERS = readdirSync(join(ROOT, 'service', 'modules')).toSorted();
const MODULES = LAYERS.flatMap((layer) => readdirSync(join(ROOT, 'service', 'modules', layer)).map((name) => `${layer}/${name}`));

/** An import of each layer from each layer below it, from the root of a module and from one of its folders. */
function upwardImports(): (readonly [file: string, text: string, rule: string])[] {
  return LAYERS.flatMap((layer, index) =>
    LAYERS.slice(index + 1).flatMap((higher) =>
      ['planted', 'planted/folder'].map(
        (folder) =>
          [
            `service/modules/${layer}/${folder}/imports-${higher}.ts`,
            `import { x } from '#modules/${higher}/planted/index.ts';\nexport { x };`,
            'no-restricted-imports',
          ] as const,
      ),
    ),
  );
}

/** File, its text, and the rule that must object. */
const PLANTED: readonly (readonly [file: string, text: string, rule: string])[] = [
  ['contract/a.ts', `import { can } from '@partner-portal/core/access/access.ts';\nexport const x = can;`, 'no-restricted-imports'],
  ['contract/b.ts', `import { readFileSync } from 'node:fs';\nexport const x = readFileSync;`, 'no-restricted-imports'],
  [
    'core/a.ts',
    `import { createPool } from '@partner-portal/service/platform/db/pool.ts';\nexport const x = createPool;`,
    'no-restricted-imports',
  ],
  ['core/b.ts', `import { request } from 'node:http';\nexport const x = request;`, 'no-restricted-imports'],
  ['core/c.ts', `import pg from 'pg';\nexport const x = pg;`, 'no-restricted-imports'],
  ['engine/a.ts', `import { ERRORS } from '@partner-portal/contract/errors.ts';\nexport const x = ERRORS;`, 'no-restricted-imports'],
  ['sandbox/a.ts', `import { ERRORS } from '../contract/errors.ts';\nexport const x = ERRORS;`, 'no-restricted-imports'],
  ['catalog/a.ts', `import { x } from '@partner-portal/service/config.ts';\nexport { x };`, 'no-restricted-imports'],
  ['portal/a.ts', `import { x } from '@partner-portal/service/config.ts';\nexport { x };`, 'no-restricted-imports'],
  ['portal/b.ts', `import { x } from '@partner-portal/core/credential/vault.ts';\nexport { x };`, 'no-restricted-imports'],
  ['portal/features/runs/a.ts', `import { x } from '../agents/queries.ts';\nexport { x };`, 'no-restricted-imports'],
  ['portal/ui/controls/a.ts', `import { api } from '../../app/api.ts';\nexport { api };`, 'no-restricted-imports'],
  ['portal/ui/controls/b.ts', `import { routes } from '@partner-portal/contract';\nexport { routes };`, 'no-restricted-imports'],
  ['portal/ui/controls/c.ts', `import { useQuery } from '@tanstack/react-query';\nexport { useQuery };`, 'no-restricted-imports'],
  ['portal/ui/controls/d.ts', `import { x } from '../../shared/a.ts';\nexport { x };`, 'no-restricted-imports'],
  ['portal/queries/a.ts', `import { x } from '../features/runs/queries.ts';\nexport { x };`, 'no-restricted-imports'],
  ['portal/app/a.ts', `import { x } from '../shared/labels.ts';\nexport { x };`, 'no-restricted-imports'],
  ['portal/shared/a.ts', `import { x } from '../features/runs/queries.ts';\nexport { x };`, 'no-restricted-imports'],
  ['service/schema/models/a.ts', `import { x } from '#modules/1-ledger/audit/index.ts';\nexport { x };`, 'no-restricted-imports'],
  ['service/platform/a.ts', `import { x } from '#modules/1-ledger/audit/index.ts';\nexport { x };`, 'no-restricted-imports'],
  ['service/platform/b.ts', `import { x } from '../modules/audit/index.ts';\nexport { x };`, 'no-restricted-imports'],
  ['service/adapters/a.ts', `import { x } from '#modules/1-ledger/audit/index.ts';\nexport { x };`, 'no-restricted-imports'],
  ['service/adapters/b.ts', `import { x } from '@partner-portal/engine/server.ts';\nexport { x };`, 'no-restricted-imports'],
  [
    'service/modules/3-product/agents/a.ts',
    `import { x } from '#modules/1-ledger/audit/store.ts';\nexport { x };`,
    'no-restricted-imports',
  ],
  ['service/modules/3-product/agents/b.ts', `import { x } from '../audit/index.ts';\nexport { x };`, 'no-restricted-imports'],
  [
    'service/modules/1-ledger/metering/a.ts',
    `import { x } from '#modules/4-setup/provisioning/index.ts';\nexport { x };`,
    'no-restricted-imports',
  ],
  [
    'service/modules/1-ledger/mail/a.ts',
    `import { x } from '#modules/2-tenancy/plan-requests/index.ts';\nexport { x };`,
    'no-restricted-imports',
  ],
  [
    'service/modules/2-tenancy/plan-requests/a.ts',
    `import { x } from '#modules/3-product/agents/index.ts';\nexport { x };`,
    'no-restricted-imports',
  ],
  [
    'service/modules/2-tenancy/team/a.ts',
    `import { x } from '#modules/6-views/work-queue/index.ts';\nexport { x };`,
    'no-restricted-imports',
  ],
  [
    'service/modules/3-product/executions/a.ts',
    `import { x } from '#modules/6-views/work-queue/index.ts';\nexport { x };`,
    'no-restricted-imports',
  ],
  ['service/modules/3-product/agents/routes.ts', `import { x } from './store.ts';\nexport { x };`, 'no-restricted-imports'],
  [
    'service/modules/3-product/agents/store.ts',
    `import { x } from '#modules/1-ledger/audit/index.ts';\nexport { x };`,
    'no-restricted-imports',
  ],
  ['service/modules/3-product/agents/store-clients.ts', `import { x } from '../audit/index.ts';\nexport { x };`, 'no-restricted-imports'],
  ['service/modules/2-tenancy/team/routes.ts', `import { x } from '../audit/index.ts';\nexport { x };`, 'no-restricted-imports'],
  ['service/modules/3-product/agents/store-runs.ts', `import { x } from '#platform/http/csv.ts';\nexport { x };`, 'no-restricted-imports'],
  [
    'service/modules/3-product/executions/accept/a.ts',
    `import { x } from '../../../1-ledger/audit/index.ts';\nexport { x };`,
    'no-restricted-imports',
  ],
  ['service/modules/3-product/executions/read/store.ts', `import { x } from '../deps.ts';\nexport { x };`, 'no-restricted-imports'],
  [
    'service/modules/6-views/health/a.ts',
    `import { x } from '#modules/6-views/work-queue/index.ts';\nexport { x };`,
    'no-restricted-imports',
  ],
  ...upwardImports(),
  ['service/a.ts', `export const x = process.env['HOME'];`, 'no-process-env'],
  ['service/b.ts', `export const x = (): void => console.log('x');`, 'no-console'],
  ['service/c.ts', `export default 1;`, 'no-default-export'],
  ['service/d.ts', `export const x = (y: any): unknown => y;`, 'no-explicit-any'],
  ['service/e.ts', `export const x = (y: string | null): number => y!.length;`, 'no-non-null-assertion'],
  [
    'service/f.ts',
    `const work = async (): Promise<void> => undefined;\nexport const x = (): void => {\n  work();\n};`,
    'no-floating-promises',
  ],
  ['service/g.ts', `import { h } from './h.ts';\nexport const g = (): number => h();`, 'no-cycle'],
  ['service/h.ts', `import { g } from './g.ts';\nexport const h = (): number => g();`, 'no-cycle'],
  ['service/i.ts', `import type { K } from './k.ts';\nexport type I = { k: K };`, 'no-cycle'],
  ['service/k.ts', `import type { I } from './i.ts';\nexport type K = { i: I };`, 'no-cycle'],
  [
    'service/l.ts',
    `export const x = (y: 'a' | 'b'): number => {\n  switch (y) {\n    case 'a':\n      return 1;\n  }\n  return 0;\n};`,
    'switch-exhaustiveness-check',
  ],
];

/** Imports that are allowed: each refusal has its allowed counterpart. */
const ALLOWED: readonly (readonly [file: string, text: string])[] = [
  ['contract/ok.ts', `import { z } from 'zod';\nimport { ROLES } from './vocabulary.ts';\nexport const x = [z, ROLES];`],
  [
    'core/ok.ts',
    `import { createHmac } from 'node:crypto';\nimport { ROLES } from '@partner-portal/contract/vocabulary.ts';\nexport const x = [createHmac, ROLES];`,
  ],
  ['portal/ok.ts', `import { x } from '@partner-portal/core/access/access.ts';\nexport { x };`],
  ['portal/features/runs/ok.ts', `import { x } from '../../ui/controls/button.tsx';\nexport { x };`],
  ['portal/ui/controls/ok.ts', `import { ROLES } from '@partner-portal/contract/vocabulary.ts';\nexport const x = ROLES;`],
  ['portal/shared/ok.ts', `import { api } from '../app/api.ts';\nexport { api };`],
  ['service/schema/models/ok.ts', `import { x } from '@partner-portal/core/a.ts';\nexport { x };`],
  ['service/adapters/ok.ts', `import { x } from '@partner-portal/engine/protocol.ts';\nexport { x };`],
  ['service/modules/2-tenancy/plan-requests/ok.ts', `import { x } from '#modules/1-ledger/mail/index.ts';\nexport { x };`],
  ['service/modules/6-views/work-queue/ok.ts', `import { x } from '#modules/3-product/agents/index.ts';\nexport { x };`],
  ['service/modules/3-product/agents/ok.ts', `import { x } from '#modules/1-ledger/audit/index.ts';\nexport { x };`],
  ['service/modules/3-product/agents/store-ok.ts', `import { x } from '#platform/db/statements.ts';\nexport { x };`],
  ['service/modules/3-product/executions/accept/ok.ts', `import { x } from '../deps.ts';\nexport { x };`],
  ['service/modules/3-product/executions/read/store-ok.ts', `import { x } from '../store.ts';\nexport { x };`],
  ['service/modules/6-views/health/ok.ts', `import { x } from '#modules/5-reactions/alerts/index.ts';\nexport { x };`],
  ['service/config.ts', `export const x = process.env['HOME'];`],
];

/** The layers are the folders of service/modules; ARCHITECTURE.md says what each is for. */
describe('the layers', () => {
  it('hold modules that say in forty lines at most what they are', () => {
    for (const module of MODULES) {
      const lines = readFileSync(join(ROOT, 'service', 'modules', module, 'FEATURE.md'), 'utf8')
        .trimEnd()
        .split('\n');
      assert.ok(lines.length > 3 && lines.length <= 40, `${module}: ${lines.length} lines`);
    }
  });

  it('in ARCHITECTURE.md hold every module once', () => {
    const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
    const rows = [...text.matchAll(/^\| `(\d-[a-z]+)\/` \| ([a-z, -]+) \|/gm)];
    const listed = rows.flatMap(([, layer, names]) => (names ?? '').split(', ').map((name) => `${layer}/${name}`));
    assert.deepEqual(listed.toSorted(), MODULES.toSorted());
  });
});

describe('the lint', () => {
  let objections: Map<string, string[]>;
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'portal-lint-'));
    for (const [file, text] of [...PLANTED, ...ALLOWED]) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), `${text}\n`);
    }
    for (const name of ['oxlint.config.ts', 'tsconfig.json']) copyFileSync(join(ROOT, name), join(folder, name));
    // The type-aware half of the linter is looked for in the project's own dependencies.
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const done = spawnSync(join(ROOT, 'node_modules', '.bin', 'oxlint'), ['--type-aware', '-f', 'json'], { cwd: folder, encoding: 'utf8' });
    const report = JSON.parse(done.stdout) as { diagnostics: { filename: string; code: string }[] }; // oxlint's own report
    objections = new Map();
    for (const { filename, code } of report.diagnostics) objections.set(filename, [...(objections.get(filename) ?? []), code]);
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const [file, text, rule] of PLANTED) {
    it(`objects to ${file}: ${text.split('\n')[0] ?? ''}`, () => {
      const found = objections.get(file) ?? [];
      assert.ok(
        found.some((code) => code.includes(rule)),
        `${rule} reported nothing; found: ${found.join(', ') || 'nothing'}`,
      );
    });
  }

  for (const [file] of ALLOWED) it(`lets ${file} pass`, () => assert.deepEqual(objections.get(file) ?? [], []));
});

describe('the portal', () => {
  /** A key or an invalidation written by hand, outside the registry that declares them. */
  const AD_HOC = /queryKey: \[|invalidateQueries\(/;
  const files = globSync('portal/**/*.{ts,tsx}', { cwd: ROOT, exclude: ['portal/node_modules/**', 'portal/dist/**'] }).filter(
    (file) => !file.endsWith('.test.ts') && !/^portal\/(app|queries)\//.test(file),
  );

  const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
  const sources = globSync('portal/{app,features,queries,routes,shared,ui}/**/*.{ts,tsx}', { cwd: ROOT }).filter(
    (file) => !file.endsWith('.test.ts'),
  );

  it('has each query in the queries of its feature, or in portal/queries', () => {
    const QUERY = /\bqueryFn\b|\bpagedQuery\(/;
    const HOME = /^portal\/(?:app\/paged-query|queries\/[a-z-]+|features\/[a-z-]+\/(?:[a-z-]+-)?queries)\.ts$/;
    const queries = sources.filter((file) => QUERY.test(read(file)));
    assert.ok(queries.length > 40, `only ${queries.length} files`);
    assert.match('useQuery({ queryKey, queryFn: () => api.listAgents() })', QUERY);
    assert.doesNotMatch('portal/features/agents/agent-page.tsx', HOME);
    assert.deepEqual(
      queries.filter((file) => !HOME.test(file)),
      [],
    );
  });

  it('has in portal/queries only what several features read, or what all of them share', () => {
    /** The features and folders whose files import a file of portal/queries. */
    const readersOf = (file: string): Set<string> =>
      new Set(
        sources
          .filter((one) => !/^portal\/(?:queries|routes)\//.test(one) && read(one).includes(`/queries/${file}'`))
          .map((one) => /^portal\/(features\/[^/]+|[^/]+)\//.exec(one)?.[1] ?? one),
      );
    const isShared = (readers: ReadonlySet<string>): boolean => readers.size > 1 || readers.has('shared') || readers.has('app');
    const shared = globSync('portal/queries/*.ts', { cwd: ROOT }).filter(
      (file) => !file.endsWith('.test.ts') && /queryFn|pagedQuery/.test(read(file)),
    );
    assert.ok(shared.length > 15, `only ${shared.length} files`);
    assert.equal(isShared(new Set(['features/agents'])), false);
    assert.deepEqual(
      shared.filter((file) => !isShared(readersOf(file.replace('portal/queries/', '')))),
      [],
    );
  });

  it('changes the address of a page in one place', () => {
    const CHANGE = /resetScroll: false,?\s*\}\)|replace: true,\s*resetScroll/;
    /** A saved filter takes the place of all filters; a conversation is left for its list. */
    const PLACES = ['portal/app/search-state.ts', 'portal/features/inbox/thread-page.tsx', 'portal/shared/saved-filters.tsx'];
    assert.match('void navigate({ search: onlySet(change), replace: true, resetScroll: false })', CHANGE);
    assert.deepEqual(sources.filter((file) => CHANGE.test(read(file))).toSorted(), PLACES);
  });

  it('takes query keys and what invalidates them from portal/queries', () => {
    assert.ok(files.length > 200, `only ${files.length} files`);
    assert.match(`queryKey: ['agents']`, AD_HOC);
    assert.match(`queryClient.invalidateQueries({ queryKey })`, AD_HOC);
    assert.doesNotMatch('queryKey: keys.agents.all', AD_HOC);
    assert.deepEqual(
      files.filter((file) => AD_HOC.test(readFileSync(join(ROOT, file), 'utf8'))),
      [],
    );
  });
});

describe('the platform', () => {
  /** Terms of the product. `client` is left out: in the platform it is a database or HTTP client. */
  const TERMS =
    /\b(?:partner|agency|agencies|agent|workflow|execution|webhook|invitation|credential|rollout|provisioning|quota|metering|subscription|template)s?\b/i;

  /** Allowed everywhere: the tenant of a session with its role, and words of other fields. */
  const ALLOWED_TERMS = [
    /partner-portal/g, // the product's packages
    /\bpartner(?:Id|Role)\b|\bPartnerRole\b|\bPARTNER(?:_ROLES)?\b|app\.partner_id/g, // tenant and role of the session
    /\bpartner_(?:role_forbidden|throttled)\b/g, // codes of the contract that concern every route
    /\b(?:user-?agent|origin-agent-cluster)\b|Disk quota|TemplateStringsArray/gi, // HTTP, the file system, the language
  ];

  /** Files that may name terms, with the reason. */
  const ALLOWED_FILES: Readonly<Record<string, string>> = {
    'db/tx.ts': 'the closed list of reasons to read across tenants',
    'http/examples.ts': 'example values by member name of the API',
    'http/docs.ts': 'texts of the API document',
    'http/refused-call.ts': 'the refusal of a wrong password',
    'http/parse-input.ts': 'the text of a refused partnerId',
    'outbound/internal-fetch.ts': 'the connection agent of undici',
    'outbound/safe-fetch.ts': 'the connection agent of undici',
    'log.ts': 'paths whose tokens are removed',
  };

  const findTerms = (text: string): string[] =>
    text.split('\n').filter((line) => {
      const rest = ALLOWED_TERMS.reduce((left, allowed) => left.replace(allowed, ''), line);
      return TERMS.test(rest.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' '));
    });

  it('names no term of the product', () => {
    const folder = join(ROOT, 'service', 'platform');
    const files = globSync('**/*.ts', { cwd: folder }).filter((file) => !file.endsWith('.test.ts'));
    assert.ok(files.length > 50, `only ${files.length} files`);
    const found = files
      .filter((file) => !(file in ALLOWED_FILES))
      .flatMap((file) => findTerms(readFileSync(join(folder, file), 'utf8')).map((line) => `${file}: ${line.trim()}`));
    assert.deepEqual(found, []);
    for (const file of Object.keys(ALLOWED_FILES)) assert.notDeepEqual(findTerms(readFileSync(join(folder, file), 'utf8')), [], file);
  });

  it('would be caught naming one', () => {
    for (const line of [
      'const webhookUrl = 1;',
      'select from workflow_hour',
      '/** Invitations of a partner. */',
      'type AgentRow = { id: string };',
    ])
      assert.deepEqual(findTerms(line), [line]);
    assert.deepEqual(findTerms('partnerId: actor.partnerId, userAgent'), []);
  });
});

describe('the database', () => {
  let database: TestDatabase;
  const ask = <Row extends Record<string, unknown>>(text: string): Promise<Row[]> =>
    withClient({ ...database.host.adminConfig, database: database.name }, async (client) => (await client.query<Row>(text)).rows);

  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());

  const TENANT_TABLES = `
    select c.oid, c.relname as table, c.relrowsecurity as enabled, c.relforcerowsecurity as forced
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
      and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'partner_id' and not a.attisdropped)`;

  it('has tenant tables to check', async () => {
    const tables = await ask<{ table: string }>(TENANT_TABLES);
    assert.ok(tables.length > 10, `only ${tables.length}`);
  });

  it('forces row-level security on every tenant table, with a policy for the tenant and one for the system', async () => {
    const loose = await ask(`select t.table from (${TENANT_TABLES}) t where not t.enabled or not t.forced
      or not exists (select from pg_policy p where p.polrelid = t.oid and 'portal_tenant'::regrole = any (p.polroles))
      or not exists (select from pg_policy p where p.polrelid = t.oid and 'portal_system'::regrole = any (p.polroles))`);
    assert.deepEqual(loose, []);
  });

  it('lets a tenant write only what it may read: rows of its own', async () => {
    const policies = await ask<{ table: string; reads: string; writes: string | null }>(`
      select p.polrelid::regclass::text as table, pg_get_expr(p.polqual, p.polrelid) as reads, pg_get_expr(p.polwithcheck, p.polrelid) as writes
      from pg_policy p where 'portal_tenant'::regrole = any (p.polroles) and p.polcmd = '*' and p.polpermissive`);
    assert.ok(policies.length > 10, `only ${policies.length}`);
    // Without a rule of their own, writes follow that of the reads.
    const loose = policies.filter(({ reads, writes }) => (writes ?? reads) !== reads || !/^\(+partner_id = .*app_partner\(\)/.test(reads));
    assert.deepEqual(loose, []);
  });

  it('forces row-level security on every partition as well', async () => {
    const loose =
      await ask(`select c.relname from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
      join pg_attribute a on a.attrelid = p.oid and a.attname = 'partner_id' where c.relkind = 'r' and (not c.relrowsecurity or not c.relforcerowsecurity)`);
    assert.deepEqual(loose, []);
  });

  it('has an index that starts with partner_id on every tenant table', async () => {
    const bare = await ask(`select t.table from (${TENANT_TABLES}) t where not exists (
      select from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0] where i.indrelid = t.oid and a.attname = 'partner_id')`);
    assert.deepEqual(bare, []);
  });

  it('indexes every foreign key', async () => {
    const bare =
      await ask(`select k.conrelid::regclass::text as table, k.conname from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
      where k.contype = 'f' and n.nspname = 'public' and k.conparentid = 0 and not exists (
        select from pg_index i where i.indrelid = k.conrelid and (i.indkey::int2[])[0:array_length(k.conkey, 1) - 1] @> k.conkey and k.conkey @> (i.indkey::int2[])[0:array_length(k.conkey, 1) - 1])`);
    assert.deepEqual(bare, []);
  });

  it('gives the login role no table of its own, and no role but the system and the tenant a tenant table', async () => {
    const own = await ask(`select c.relname from pg_class c where c.relkind in ('r', 'p') and c.relowner = 'portal_service'::regrole`);
    assert.deepEqual(own, []);
    const granted =
      await ask(`select distinct t.table, g.grantee from (${TENANT_TABLES}) t join information_schema.role_table_grants g on g.table_name = t.table
      where g.grantee not in ('portal_owner', 'portal_tenant', 'portal_system')`);
    assert.deepEqual(granted, []);
  });

  it('has login roles that bypass nothing', async () => {
    const strong = await ask(
      `select rolname from pg_roles where rolname like 'portal\\_%' and rolname <> 'portal_admin' and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb)`,
    );
    assert.deepEqual(strong, []);
    const [service] = await ask(`select rolinherit from pg_roles where rolname = 'portal_service'`);
    assert.deepEqual(service, { rolinherit: false });
  });

  it('pins the search path of every definer function', async () => {
    const loose = await ask(`select p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname = 'public' and p.prosecdef and not exists (select from unnest(p.proconfig) s where s like 'search_path=%')`);
    assert.deepEqual(loose, []);
  });

  it('lets no role call a definer function by default', async () => {
    const open = await ask(`select p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname = 'public' and p.prosecdef and has_function_privilege('portal_sandbox', p.oid, 'execute')`);
    assert.deepEqual(open, []);
  });
});

describe('the repository stands alone', () => {
  /** The papers the product was ordered by, spelt so that this file does not match. */
  const CITATION = /\bproduct\.m[d]\b|\bthe specificatio[n]\b/i;

  /** A name in backticks: an identifier, or several with dots between them. */
  const NAMED = /`([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)`/g;
  /** What an earlier version had is no home of a name. */
  const FORMER = /^(?:service\/schema\/upgrades|tests\/harness\/schema-)/;

  const files = spawnSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).stdout.split('\n');
  const texts = files.filter(
    (file) => /\.(?:ts|tsx|mjs|js|sql|css|md|json|html|ya?ml)$/.test(file) && !/^tests\/engine\/(?:fixtures\/|.*\.json$)/.test(file),
  );
  const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

  it('names in ARCHITECTURE.md and the FEATURE.md of each module only what is in its files', () => {
    const sources = [...texts, 'Dockerfile'].filter((file) => !file.endsWith('.md') && !FORMER.test(file));
    const words = new Set(sources.flatMap((file) => read(file).match(/[A-Za-z_]\w*/g) ?? []));
    const named = texts
      .filter((file) => /(?:^|\/)(?:ARCHITECTURE|FEATURE)\.md$/.test(file))
      .flatMap((file) => [...read(file).matchAll(NAMED)].map(([, name = '']) => ({ file, name })))
      .filter(({ name }) => !/\.(?:ts|tsx|js|md|sql|json|yaml|css|html)$/.test(name));
    assert.ok(named.length > 500, `only ${named.length} names`);
    assert.deepEqual(
      named.filter(({ name }) => !name.split('.').every((part) => words.has(part))),
      [],
    );
  });

  it('cites no document that is not in it', () => {
    assert.ok(texts.length > 500, `only ${texts.length} files`);
    assert.deepEqual(
      texts.filter((file) => CITATION.test(read(file))),
      [],
    );
  });
});
