import type { FileStore } from '#modules/1-ledger/files/index.ts';
import type { TenantTx } from '#platform/db/tx.ts';
import { type ExportKind, type ExportRow, type ExportScope, shownColumns } from '../kinds/kind.ts';
import { createPace, type Pace } from '../pace.ts';
import type { createProgress } from './progress.ts';
import type { ExportSubject } from '../store.ts';
import { readmeText } from './readme.ts';
import { CSV, type Format, JSON_LINES } from './render.ts';
import type { ZipEntry, ZipWriter } from './zip-writer.ts';

type Entry = ZipEntry & { kind?: string; rows?: number };

export type Writing = {
  tx: TenantTx;
  zip: ZipWriter;
  files: FileStore;
  scope: ExportScope;
  kinds: readonly ExportKind[];
  subject: ExportSubject;
  progress: ReturnType<typeof createProgress>;
};

const CHUNK_LENGTH = 65_536;
const FORMATS = [JSON_LINES, CSV];

/** Writes README.txt, each kind of record in both forms, the files and, with what was counted, manifest.json. */
export async function writeEntries(writing: Writing): Promise<void> {
  const { zip, kinds, scope, subject } = writing;
  const pace = createPace();
  const entries: Entry[] = [await zip.add('README.txt', once(readmeText(subject, scope, kinds)))];
  const missing: string[] = [];
  for (const kind of kinds) for (const format of FORMATS) entries.push(await writeRecords(writing, pace, kind, format));
  for (const kind of kinds) await writeFiles(writing, pace, kind, entries, missing);
  const manifest = {
    format: 1,
    account: { scope: scope.clientId === null ? 'partner' : 'client', partnerId: scope.partnerId, clientId: scope.clientId },
    name: scope.clientId === null ? subject.partnerName : subject.accountName,
    snapshotAt: subject.snapshotAt,
    files: entries,
    removedMeanwhile: missing,
  };
  await zip.add('manifest.json', once(`${JSON.stringify(manifest, null, 2)}\n`));
}

async function writeRecords(writing: Writing, pace: Pace, kind: ExportKind, format: Format): Promise<Entry> {
  let rows = 0;
  const count = (): void => {
    rows += 1;
    if (kind.count) writing.progress.add(1);
  };
  const entry = await writing.zip.add(`data/${kind.name}.${format.extension}`, renderRows(writing, pace, kind, format, count));
  return { ...entry, kind: kind.name, rows };
}

async function* renderRows(
  { tx, scope }: Writing,
  pace: Pace,
  kind: ExportKind,
  format: Format,
  count: () => void,
): AsyncGenerator<Buffer> {
  const columns = shownColumns(kind, scope);
  let text = format.head(columns);
  for await (const row of readRows(tx, kind, scope, pace)) {
    const shown = kind.shape ? await kind.shape(row, scope, pace) : row;
    for (const part of format.row(columns, shown)) {
      text += part;
      if (text.length >= CHUNK_LENGTH) {
        yield Buffer.from(text);
        text = '';
      }
      // Most rows need no wait at all.
      const resting = pace.rest();
      if (resting) await resting;
    }
    count();
  }
  if (text) yield Buffer.from(text);
}

/** Yields the rows of a kind, batch by batch in the order of its key. */
async function* readRows(tx: TenantTx, kind: ExportKind, scope: ExportScope, pace: Pace): AsyncGenerator<ExportRow> {
  let after: string | null = null;
  for (;;) {
    const rows: readonly ExportRow[] = await kind.read(tx, scope, after, kind.batch);
    pace.resume();
    const last = rows.at(-1)?.[kind.key];
    if (typeof last !== 'string') return;
    after = last;
    yield* rows;
  }
}

/** Images and documents are compressed already. */
async function writeFiles(
  { tx, scope, files, zip }: Writing,
  pace: Pace,
  kind: ExportKind,
  entries: Entry[],
  missing: string[],
): Promise<void> {
  if (!kind.attached) return;
  for await (const row of readRows(tx, kind, scope, pace)) {
    const attached = kind.attached(row, tx, files);
    if (!attached) continue;
    const content = await attached.load();
    if (content) entries.push(await zip.add(attached.path, once(content), { compressed: true }));
    else missing.push(attached.path);
  }
}

async function* once(content: string | Buffer): AsyncGenerator<Buffer> {
  yield typeof content === 'string' ? Buffer.from(content) : content;
}
