import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { files, type Files } from '@partner-portal/service/modules/1-ledger/files/index.ts';
import { createNotify } from '@partner-portal/service/modules/5-reactions/notifications/index.ts';
import { accountExport } from '@partner-portal/service/modules/6-views/account-export/index.ts';
import { type Notices, openNotices } from '@partner-portal/service/platform/notify.ts';
import type pg from 'pg';
import yauzl from 'yauzl';
import { startTestService, type TestService, type TestServiceOptions } from './service.ts';
import type { Person } from './world.ts';

type Exports = ReturnType<typeof accountExport>;

/** The service with its export and file modules. Exports are made when a test says so. */
export type ExportService = Omit<TestService, 'files'> & {
  exports: Exports;
  files: Files;
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Requests an export and makes it; returns its record. */
  exported(as: Person, body: Record<string, unknown>): Promise<Exported>;
  /** Downloads over a connection of its own. */
  download(as: Person, id: string, headers?: Record<string, string>): Promise<Response>;
  /** Downloads and unpacks an export. */
  unpack(as: Person, id: string): Promise<Unpacked>;
};
export type Exported = { id: string; status: string; percent: number; sizeBytes: number; error: string | null; expiresAt: string };

export async function startExportService(
  options: Omit<TestServiceOptions, 'modules'> & { files?: (files: Files) => Files['store'] } = {},
): Promise<ExportService> {
  const built: { exports?: Exports; files?: Files; notices?: Notices } = {};
  const service = await startTestService({
    ...options,
    modules: (platform) => {
      const { clock, database, db, log, mail } = platform;
      const notices = openNotices(database.configFor('portal_service'), log);
      const filesModule = files({ db, clock });
      const store = options.files?.(filesModule) ?? filesModule.store;
      const exports = accountExport({ ...platform, files: store, notices, notify: createNotify(mail) });
      Object.assign(built, { exports, files: filesModule, notices });
      return [filesModule, exports];
    },
  });
  const { exports, files: filesModule, notices } = built;
  if (!exports || !filesModule || !notices) throw new Error('The modules of exports were not built.');
  let origin: Promise<string> | undefined;
  const download: ExportService['download'] = async (as, id, headers = {}) =>
    fetch(`${await (origin ??= service.listen())}/account-export/${id}/download`, { headers: { ...service.bearer(as), ...headers } });
  return {
    ...service,
    exports,
    files: filesModule,
    query: service.database.query,
    async exported(as, body) {
      const asked = await service.call('POST', '/account-export', { as, body });
      assert.equal(asked.status, 202, asked.text);
      await exports.makeDue();
      const { body: made } = await service.call('GET', `/account-export/${asked.body.id}`, { as });
      return made;
    },
    download,
    async unpack(as, id) {
      const response = await download(as, id);
      assert.equal(response.status, 200);
      return unpack(Buffer.from(await response.arrayBuffer()));
    },
    async close() {
      await exports.stop();
      await notices.close();
      await service.close();
    },
  };
}

export type Unpacked = {
  archive: Buffer;
  entries: Map<string, Buffer>;
  manifest: {
    files: { path: string; bytes: number; sha256: string; kind?: string; rows?: number }[];
    removedMeanwhile: string[];
    snapshotAt: string;
  };
  /** All bytes as text, for a search. */
  text: string;
  rows(kind: string): Record<string, unknown>[];
  /** The rows of the CSV file, as text by column. */
  cells(kind: string): Record<string, string>[];
};

/** Unpacks an archive with another library than the one that made it, and compares it with its manifest. */
export async function unpack(archive: Buffer): Promise<Unpacked> {
  const zip = await yauzl.fromBufferPromise(archive, { lazyEntries: true, autoClose: false });
  const entries = new Map<string, Buffer>();
  await new Promise<void>((resolve, reject) => {
    zip.on('entry', (entry: yauzl.Entry) => {
      zip
        .openReadStreamPromise(entry)
        .then(buffer)
        .then((content) => {
          entries.set(entry.fileName, content);
          zip.readEntry();
        }, reject);
    });
    zip.on('end', resolve);
    zip.on('error', reject);
    zip.readEntry();
  });
  const content = (path: string): Buffer => entries.get(path) ?? assert.fail(`The archive has no ${path}.`);
  const manifest = JSON.parse(content('manifest.json').toString()) as Unpacked['manifest']; // the product's own file
  for (const { path, bytes, sha256 } of manifest.files) {
    assert.equal(content(path).length, bytes, path);
    assert.equal(createHash('sha256').update(content(path)).digest('hex'), sha256, path);
  }
  assert.deepEqual([...entries.keys()], [...manifest.files.map(({ path }) => path), 'manifest.json']);
  return {
    archive,
    entries,
    manifest,
    text: [...entries].map(([path, bytes]) => `${path}\n${bytes.toString('latin1')}`).join('\n'),
    rows: (kind) =>
      content(`data/${kind}.jsonl`)
        .toString()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>), // the product's own lines
    cells: (kind) => parse(content(`data/${kind}.csv`), { bom: true, columns: true }),
  };
}
