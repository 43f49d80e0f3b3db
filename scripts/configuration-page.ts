import { OWN_PREFIXES, SETTINGS, SLIP_LENGTH_MIN, type SettingGroup } from '../service/settings.ts';

const GROUPS: readonly SettingGroup[] = ['Process', 'Access', 'Secrets', 'Automation engine', 'Providers', 'Mail', 'First start'];

type Row = { name: string; group: SettingGroup; meaning: string; fallback: string | null; secret: boolean };

const rows: Row[] = Object.entries(SETTINGS).map(([name, { group, meaning, fallback, secret }]) => ({
  name,
  group,
  meaning,
  fallback,
  secret,
}));

/** Renders docs/configuration.md from the table the service reads its settings with. */
export function writeConfigurationPage(): string {
  const head = [
    '# Configuration',
    '',
    'Written by `npm run gen` from `service/settings.ts`; do not edit by hand.',
    '',
    'Settings come from the environment, then from `DATA_DIR/settings.env` (lines of `NAME=value`), then from the defaults below.',
    'Without `DATABASE_URL` the first start writes that file with fresh secrets, the embedded engine and the provider sandbox switched on.',
    'The service itself reads no `.env`; compose does, for its containers. A malformed setting stops the start with one list of everything to fix, and so does an unknown',
    `one in that file, or one of the environment that begins with ${OWN_PREFIXES.map((prefix) => `\`${prefix}\``).join(', ')},`,
    `or is a single slip away from a setting of ${SLIP_LENGTH_MIN} letters or more that is not given itself.`,
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

/** Renders .env.example: every setting, commented out, with its description above. */
export function writeEnvExample(): string {
  const sections = GROUPS.flatMap((group) => [
    '',
    `## ${group}`,
    ...rows.filter((row) => row.group === group).flatMap((row) => ['', `# ${row.meaning}`, `#${row.name}=${row.fallback ?? ''}`]),
  ]);
  return `${['# Written by `npm run gen`. Every setting of the service; all are optional in the quick start, which reads them from the environment and from DATA_DIR/settings.env.', ...sections].join('\n')}\n`;
}

function showDefault(row: Row): string {
  if (row.fallback === null) return 'none';
  return row.fallback === '' ? 'empty' : `\`${row.fallback}\``;
}
