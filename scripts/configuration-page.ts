import { SETTINGS, type SettingGroup } from '../service/settings.ts';

const GROUPS: readonly SettingGroup[] = ['Process', 'Access', 'Secrets', 'Automation engine', 'Providers', 'Mail', 'First start'];

type Row = { name: string; group: SettingGroup; meaning: string; fallback: string | null; secret: boolean };

const rows: Row[] = Object.entries(SETTINGS).map(([name, { group, meaning, fallback, secret }]) => ({
  name,
  group,
  meaning,
  fallback,
  secret,
}));

/** docs/configuration.md, from the very table the service reads its settings with. */
export function writeConfigurationPage(): string {
  const head = [
    '# Configuration',
    '',
    'Written by `npm run gen` from `service/settings.ts`; do not edit by hand.',
    '',
    'Settings come from the environment, then from `DATA_DIR/settings.env` (lines of `NAME=value`), then from the defaults below.',
    'Without `DATABASE_URL` the first start writes that file with fresh secrets, the embedded engine and the provider sandbox switched on.',
    'An unknown or malformed setting stops the start with one list of everything to fix.',
  ];
  const sections = GROUPS.flatMap((group) => [
    '',
    `## ${group}`,
    '',
    '| Setting | Default | Meaning |',
    '|---|---|---|',
    ...rows
      .filter((row) => row.group === group)
      .map((row) => `| \`${row.name}\` | ${showDefault(row)} | ${row.meaning}${row.secret ? ' *Secret.*' : ''} |`),
  ]);
  return `${[...head, ...sections].join('\n')}\n`;
}

/** .env.example: every setting, commented out, with its meaning above it. */
export function writeEnvExample(): string {
  const sections = GROUPS.flatMap((group) => [
    '',
    `## ${group}`,
    ...rows.filter((row) => row.group === group).flatMap((row) => ['', `# ${row.meaning}`, `#${row.name}=${row.fallback ?? ''}`]),
  ]);
  return `${['# Written by `npm run gen`. Every setting of the service; all are optional in the quick start.', ...sections].join('\n')}\n`;
}

function showDefault(row: Row): string {
  if (row.fallback === null) return 'none';
  return row.fallback === '' ? 'empty' : `\`${row.fallback}\``;
}
