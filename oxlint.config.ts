import { defineConfig } from 'oxlint';

/**
 * Lint rules and, above all, the direction of dependencies (ARCHITECTURE.md). `tests/architecture.test.ts` plants violations of each and
 * expects them to be reported. A later override replaces the same rule of an earlier one, so shared patterns are spread into each.
 */
type Pattern = { regex: string; message: string; allowTypeImports?: true } | { group: string[]; message: string };

/** Refuses imports by pattern. */
const refuseImports = (...patterns: Pattern[]) => ({ 'eslint/no-restricted-imports': ['error', { patterns }] }) as const;

const LAYERS = ['1-ledger', '2-tenancy', '3-product', '4-setup', '5-reactions', '6-views'] as const;

/** Rules for every file of a module, in any layer. Groups come last: an import that one of them exempts is not checked further. */
const MODULE_PATTERNS: Pattern[] = [
  { group: ['\\#modules/*/*/*', '!\\#modules/*/*/index.ts'], message: 'Another module is entered through its index.ts.' },
  {
    group: ['@partner-portal/engine', '@partner-portal/engine/**', '!@partner-portal/engine/protocol.ts'],
    message: 'Modules reach the engine through adapters.',
  },
  { regex: '^@partner-portal/(sandbox|portal)', message: 'Production code does not know the sandbox or the portal.' },
  { regex: '^(fastify|pg|undici)$', message: 'Modules speak through platform: http, db and outbound.' },
];
/** Relative imports stay inside the module: files at its root may not go up, files in its folders one level at most. */
const AT_ROOT: Pattern = { regex: '^\\.\\./', message: 'Another module is entered through #modules/<layer>/<name>/index.ts.' };
const IN_FOLDER: Pattern = { regex: '^(\\.\\./){2,}', message: 'Another module is entered through #modules/<layer>/<name>/index.ts.' };

/** One pair of overrides per layer: a module calls down or across, never up, and no one calls a view. */
const layerOverrides = LAYERS.flatMap((layer, index) => {
  const above = LAYERS.slice(index + 1);
  const upward: Pattern[] =
    above.length === 0
      ? [{ regex: '^#modules/6-views/', message: 'A view is imported by no one.' }]
      : [
          {
            regex: `^#modules/(${above.join('|')})/`,
            message: 'Modules call down or across, never up: a higher layer registers a handler for a fact.',
          },
        ];
  return [
    { files: [`service/modules/${layer}/*/*.ts`], rules: refuseImports(...upward, AT_ROOT, ...MODULE_PATTERNS) },
    { files: [`service/modules/${layer}/*/*/**/*.ts`], rules: refuseImports(...upward, IN_FOLDER, ...MODULE_PATTERNS) },
  ];
});

const PORTAL_PATTERNS: Pattern[] = [
  {
    regex: '^@partner-portal/(service|engine|catalog|sandbox)',
    message: 'The portal is a client of the API: it imports contract and the browser-safe files of core.',
  },
  { regex: '^(\\.\\./)+(service|engine|catalog|sandbox|tests|bench)/', message: 'The portal is a client of the API.' },
  {
    regex: '^@partner-portal/core/(credential/vault|webhook/signing|network/address)\\.ts$',
    message: 'This file of core does not run in browsers.',
  },
];

export default defineConfig({
  plugins: ['eslint', 'typescript', 'unicorn', 'oxc', 'import', 'node', 'promise'],
  categories: { correctness: 'error', suspicious: 'off', pedantic: 'off', style: 'off', restriction: 'off', perf: 'off', nursery: 'off' },
  ignorePatterns: ['**/dist/**', 'portal/public/widget/**', '**/*.gen.ts', '**/*-gen.ts', 'node_modules/**', 'catalog/*/steps/**'],
  rules: {
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-default-export': 'error',
    'node/no-process-env': 'error',
    'eslint/no-console': 'error',
    'eslint/no-var': 'error',
    'eslint/eqeqeq': 'error',
    'eslint/prefer-const': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': [
      'error',
      { checksVoidReturn: { arguments: false, attributes: false, properties: false, returns: false, variables: false } },
    ],
    'typescript/await-thenable': 'error',
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'typescript/no-misused-spread': 'off',
    'typescript/no-meaningless-void-operator': 'off',
    'typescript/no-base-to-string': 'off',
    'promise/no-callback-in-promise': 'off',
    'typescript/restrict-template-expressions': 'off',
    'typescript/unbound-method': 'off',
  },
  overrides: [
    {
      files: ['contract/**'],
      rules: refuseImports(
        { regex: '^[a-y@#]', message: 'contract knows zod and itself, nothing else: it also runs in browsers.' },
        { regex: '^(\\.\\./)+(core|engine|service|portal|catalog|sandbox|tests|bench)/', message: 'contract imports no other package.' },
      ),
    },
    {
      files: ['messages/**'],
      rules: refuseImports(
        {
          regex: '^@partner-portal/(core|engine|service|portal|catalog|sandbox|tests|bench)',
          message: 'messages imports contract and itself only: it also runs in browsers.',
        },
        {
          regex: '^(\\.\\./)+(core|engine|service|portal|catalog|sandbox|tests|bench)/',
          message: 'messages imports contract and itself only.',
        },
      ),
    },
    {
      files: ['core/**'],
      rules: refuseImports(
        {
          regex: '^@partner-portal/(engine|service|portal|catalog|sandbox|tests|bench)',
          message: 'core decides; it imports contract and itself only.',
        },
        { regex: '^(\\.\\./)+(engine|service|portal|catalog|sandbox|tests|bench)/', message: 'core imports contract and itself only.' },
        {
          regex: '^node:(fs|http|https|http2|dns|child_process|timers|worker_threads|os)',
          message: 'core has no effects: no files, network, timers or processes.',
        },
        { regex: '^(pg|kysely|fastify|undici|graphile-worker|pino)(/|$)', message: 'core has no effects.' },
      ),
    },
    {
      files: ['engine/**', 'sandbox/**'],
      rules: refuseImports(
        { regex: '^@partner-portal/', message: 'The engine and the sandbox stand alone: they import nothing of ours.' },
        {
          regex: '^(\\.\\./)+(contract|core|service|portal|catalog|tests|bench)/',
          message: 'The engine and the sandbox stand alone: they import nothing of ours.',
        },
      ),
    },
    {
      files: ['catalog/**'],
      rules: refuseImports({
        regex: '^@partner-portal/(service|portal|engine|sandbox)',
        message: 'The catalog is data: it knows no package that uses it.',
      }),
    },
    {
      files: ['portal/**'],
      plugins: ['eslint', 'typescript', 'unicorn', 'oxc', 'import', 'node', 'promise', 'react', 'jsx-a11y'],
      rules: {
        'react/rules-of-hooks': 'error',
        'react/exhaustive-deps': 'error',
        ...refuseImports(...PORTAL_PATTERNS),
      },
    },
    {
      files: ['portal/features/*/*'],
      rules: refuseImports(...PORTAL_PATTERNS, {
        regex: '^\\.\\./[a-z]',
        message: 'A feature never imports another feature; routes compose them.',
      }),
    },
    {
      files: ['portal/ui/**'],
      rules: refuseImports(
        ...PORTAL_PATTERNS,
        { regex: '^(\\.\\./)+(app|queries|shared|features|routes)/', message: 'ui imports ui only.' },
        {
          group: [
            '@tanstack/react-query',
            '@partner-portal/contract',
            '@partner-portal/contract/**',
            '!@partner-portal/contract/{product,vocabulary}.ts',
          ],
          message:
            'ui knows no API: it takes values and callbacks. A component that reads or calls the API lives in shared or in a feature.',
        },
      ),
    },
    {
      files: ['portal/{app,queries}/**'],
      rules: refuseImports(...PORTAL_PATTERNS, {
        regex: '^(\\.\\./)+(shared|features|routes)/',
        message: 'app and queries know no page: they import each other and ui.',
      }),
    },
    {
      files: ['portal/shared/**'],
      rules: refuseImports(...PORTAL_PATTERNS, {
        regex: '^(\\.\\./)+(features|routes)/',
        message: 'shared serves the features and imports none of them.',
      }),
    },
    {
      files: ['service/schema/**'],
      rules: refuseImports({ regex: '^([@#.]|node:)', message: 'The schema imports nothing.' }),
    },
    {
      files: ['service/schema/models/**'],
      rules: refuseImports({
        regex: '^(#|(\\.\\./)|@partner-portal/(service|engine|sandbox|catalog|portal|messages|tests))',
        message: 'A model of a SQL function is pure: it imports core and contract.',
      }),
    },
    {
      files: ['service/platform/**'],
      rules: refuseImports(
        { regex: '^#(modules|adapters)/', message: 'platform knows no business word: it imports schema types, core and contract.' },
        { regex: '^(\\.\\./)+(modules|adapters|quick-start)/', message: 'platform knows no business word.' },
        { regex: '^@partner-portal/(engine|sandbox|catalog|portal)', message: 'platform imports schema types, core and contract.' },
      ),
    },
    {
      files: ['service/adapters/**'],
      rules: refuseImports(
        { regex: '^#modules/', message: 'adapters speak to other systems; they import platform, contract and engine/protocol.' },
        { regex: '^(\\.\\./)+modules/', message: 'adapters import no module.' },
        {
          group: [
            '@partner-portal/engine',
            '@partner-portal/engine/**',
            '!@partner-portal/engine/protocol.ts',
            '!@partner-portal/engine/options.ts',
          ],
          message: 'Of the engine only its protocol and its start options are ours to know.',
        },
        { regex: '^@partner-portal/(sandbox|portal)', message: 'adapters import platform, contract and engine/protocol.' },
      ),
    },
    ...layerOverrides,
    {
      files: ['service/modules/*/*/routes.ts'],
      rules: refuseImports(
        { regex: '^@partner-portal/core/', allowTypeImports: true, message: 'routes.ts calls use-cases; decisions are theirs.' },
        { regex: '^\\.(/[a-z-]+)?/store', message: 'routes.ts calls use-cases; SQL is the store’s.' },
        { regex: '^(#modules/|\\.\\./)', allowTypeImports: true, message: 'routes.ts calls its own module’s use-cases.' },
        { regex: '^(fastify|pg|undici|kysely)$', message: 'routes.ts knows contract, use-cases and platform/http.' },
      ),
    },
    {
      files: ['service/modules/*/*/**/store.ts', 'service/modules/*/*/**/store-*.ts'],
      rules: refuseImports(
        {
          regex: '^(#(modules|adapters)/|(\\.\\./){2,})',
          message: 'A store holds SQL: it imports platform/db, schema types and contract vocabulary.',
        },
        {
          regex: '^#platform/(http|jobs|outbound|refuse|clock|log|notify|secret)',
          message: 'A store holds SQL: it imports platform/db, schema types and contract vocabulary.',
        },
        { regex: '^(fastify|pg|undici)$', message: 'A store takes its transaction; it opens nothing.' },
        { regex: '^@partner-portal/(engine|sandbox|catalog|portal)', message: 'A store holds SQL.' },
        {
          group: ['../**', '!../store.ts', '!../topic.ts', '!../store-*.ts', '!../*/store*.ts'],
          message: 'A store holds SQL: of its own module it imports other stores only.',
        },
      ),
    },
    {
      files: ['**/*.config.ts', '**/*.config.js', '**/*.config.mjs', 'catalog/**'],
      rules: { 'import/no-default-export': 'off' },
    },
    {
      files: ['service/config.ts', 'scripts/**', 'tests/**', 'bench/**', '**/*.config.ts', '**/*.test.ts'],
      rules: { 'node/no-process-env': 'off' },
    },
    {
      files: ['scripts/**', 'tests/**', 'bench/**', '**/*.test.ts'],
      rules: { 'eslint/no-console': 'off' },
    },
    {
      files: ['**/*.test.ts', 'tests/**'],
      rules: { 'typescript/no-floating-promises': 'off', 'eslint/no-restricted-imports': 'off' },
    },
  ],
});
